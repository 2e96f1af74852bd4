"""One YAML scalar read as the type the schema wants, with YAML 1.1's surprises explained."""

import math
import re

from pipeline.yaml_tree import Node

WANTED = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
DECIMAL = re.compile(r"[-+]?(0|[1-9][0-9]*)")
NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")


class ScalarError(Exception):
    """The scalar is not what the schema wants; the message has the text and the fix."""


def scalar(node: Node, wanted: type, label: str) -> str | int | float | bool:
    """Return the value of a node as a str, int, float or bool; raises ScalarError."""
    if node.kind == "scalar":
        text = node.text
        if wanted is str and node.tag == "str":
            return text
        if wanted is bool and text in {"true", "false"} and node.tag == "bool":
            return text == "true"
        if wanted is int and DECIMAL.fullmatch(text) and not node.style:
            return int(text)
        if wanted is float and NUMBER.fullmatch(text) and not node.style:
            number = float(text)  # 1e-6 too, which YAML 1.1 takes for text
            if not math.isfinite(number):
                raise ScalarError(f"'{label}' is {text}, which is more than a number can hold")
            return number
    message = f"'{label}' must be {WANTED[wanted]}, got {describe(node)}{_fix(node, wanted)}"
    raise ScalarError(message)


def describe(node: Node) -> str:
    """Say what a node is, and what YAML makes of it where that is not what it looks like."""
    if node.kind != "scalar":
        return f"a {node.kind}"
    if node.text == "" and not node.style:
        return "nothing"
    tag = node.tag
    if tag == "str":
        return f"the text '{node.text}'"
    if tag in {"bool", "int", "float", "timestamp", "null"}:
        return _surprise(node, tag)
    return f"{node.text} tagged {node.tag}"


def _surprise(node: Node, tag: str) -> str:
    """Say what YAML reads a plain scalar as, where the reader may not know."""
    text = node.text
    if tag in {"int", "float"} and NUMBER.fullmatch(text):
        return f"the number {text}"
    if tag == "bool" and text in {"true", "false"}:
        return text
    import yaml  # noqa: PLC0415 - only who made a mistake waits for it

    value = yaml.safe_load(text)
    if tag in {"int", "float"}:
        return f"{text}, which YAML reads as the {_notation(text)}number {value}"
    if tag == "bool":
        return f"{text}, which YAML reads as {str(value).lower()}"
    if tag == "null":
        return f"{text}, which YAML reads as nothing"
    return f"{text}, which YAML reads as a date"


def _notation(text: str) -> str:
    """Name the notation of a number that is not written in decimal."""
    digits = text.lstrip("+-").lower()
    if ":" in digits:
        return "base-60 "
    if digits.startswith("0x"):
        return "hexadecimal "
    if digits.startswith("0b"):
        return "binary "
    return "octal " if re.fullmatch("0[0-7_]+", digits) else ""


def _fix(node: Node, wanted: type) -> str:
    """Say what to write instead, where that can be told."""
    if node.kind != "scalar" or node.text == "":
        return ""
    if wanted is str:
        return f"; write '{node.text}' in quotes" if node.tag != "str" else ""
    if wanted is bool:
        return "; write true or false"
    if node.style and NUMBER.fullmatch(node.text):
        return "; write it without quotes"
    if node.tag in {"int", "float"} and not NUMBER.fullmatch(node.text):
        return "; write it in decimal"
    return ""

"""Every mistake in a settings file: its place, its words, and the line with a mark below."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest

from pipeline.config import ConfigError, Unique, load, load_or_exit


def _is_short(text: str) -> str | None:
    return None if len(text) < 5 else f"is '{text}', which is long"


@dataclass(frozen=True)
class Item:
    name: Annotated[str, _is_short]
    sizes: tuple[int, ...]
    bound: float = 1.0
    exact: bool = False


@dataclass(frozen=True)
class Settings:
    version: int
    items: Annotated[tuple[Item, ...], Unique("name")]


def read(folder: Path, text: str | bytes) -> Settings:
    path = folder / "pipeline.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load(path, Settings)


def report(folder: Path, text: str | bytes) -> str:
    with pytest.raises(ConfigError) as caught:
        read(folder, text)
    return caught.value.report


GOOD = """\
# A comment.
items:
  - {sizes: [1, -2], name: "010", exact: true, bound: 1e-6}
  - name: b
    sizes: []
version: 1
"""


def test_good_settings_become_dataclasses(tmp_path: Path) -> None:
    items = (Item("010", (1, -2), 1e-6, exact=True), Item("b", ()))
    assert read(tmp_path, GOOD) == Settings(1, items)


@pytest.mark.parametrize("text", ["1", "1.", "0.5", ".5", "-1.5e+3", "1e-6", "2E3"])
def test_any_decimal_spelling_of_a_float_will_do(tmp_path: Path, text: str) -> None:
    settings = read(tmp_path, GOOD.replace("1e-6", text))
    assert settings.items[0].bound == float(text)
    assert isinstance(settings.items[0].bound, float)


def test_every_mistake_is_reported_at_once_where_it_is(tmp_path: Path) -> None:
    text = """\
version: one
items:
  - nmae: a
    sizes: 3
  - name: no
    sizes: [1, 010]
    colour: red
  - sizes: [1]
    sizes: [2]
"""
    assert report(tmp_path, text).splitlines() == [
        "pipeline.yaml:1:10: 'version' must be a whole number, got the text 'one'",
        "    1 | version: one",
        "      |          ^^^",
        "pipeline.yaml:3:5: unknown key 'nmae'; did you mean 'name'?",
        "    3 |   - nmae: a",
        "      |     ^^^^",
        "pipeline.yaml:4:12: 'sizes' must be a list, got the number 3; write [3]",
        "    4 |     sizes: 3",
        "      |            ^",
        (
            "pipeline.yaml:5:11: 'name' must be text, got no, which YAML reads as false;"
            " write 'no' in quotes"
        ),
        "    5 |   - name: no",
        "      |           ^^",
        (
            "pipeline.yaml:6:16: 'sizes[1]' must be a whole number, got 010,"
            " which YAML reads as the octal number 8; write it in decimal"
        ),
        "    6 |     sizes: [1, 010]",
        "      |                ^^^",
        "pipeline.yaml:7:5: unknown key 'colour'; the keys are name, sizes, bound, exact",
        "    7 |     colour: red",
        "      |     ^^^^^^",
        "pipeline.yaml:8:5: missing key 'name'",
        "    8 |   - sizes: [1]",
        "      |     ^",
        "pipeline.yaml:9:5: duplicate key 'sizes'; the first is on line 8",
        "    9 |     sizes: [2]",
        "      |     ^^^^^",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"010"',
            "010",
            (
                "3:28: 'name' must be text, got 010, which YAML reads as the octal"
                " number 8; write '010' in quotes"
            ),
        ),
        ('"010"', "12", "3:28: 'name' must be text, got the number 12; write '12' in quotes"),
        (
            '"010"',
            "~",
            ("3:28: 'name' must be text, got ~, which YAML reads as nothing; write '~' in quotes"),
        ),
        (
            '"010"',
            "2026-01-02",
            (
                "3:28: 'name' must be text, got 2026-01-02, which YAML reads as"
                " a date; write '2026-01-02' in quotes"
            ),
        ),
        ('"010"', "!x y", "3:28: 'name' must be text, got y tagged !x; write 'y' in quotes"),
        ('"010"', "too long", "3:28: 'name' is 'too long', which is long"),
        (
            "[1, -2]",
            "[12:30]",
            (
                "3:14: 'sizes[0]' must be a whole number, got 12:30, which YAML"
                " reads as the base-60 number 750; write it in decimal"
            ),
        ),
        (
            "[1, -2]",
            "[0x10]",
            (
                "3:14: 'sizes[0]' must be a whole number, got 0x10, which YAML"
                " reads as the hexadecimal number 16; write it in decimal"
            ),
        ),
        (
            "[1, -2]",
            "['1']",
            ("3:14: 'sizes[0]' must be a whole number, got the text '1'; write it without quotes"),
        ),
        ("[1, -2]", "[1.5]", "3:14: 'sizes[0]' must be a whole number, got the number 1.5"),
        ("[1, -2]", "{a: 1}", "3:13: 'sizes' must be a list, got a mapping"),
        (
            "exact: true",
            "exact: yes",
            (
                "3:42: 'exact' must be true or false, got yes, which YAML"
                " reads as true; write true or false"
            ),
        ),
        (
            "1e-6",
            ".inf",
            (
                "3:55: 'bound' must be a number, got .inf, which YAML reads as the"
                " number inf; write it in decimal"
            ),
        ),
        ("1e-6", "1e400", "3:55: 'bound' is 1e400, which is more than a number can hold"),
        ("version: 1", "? [1]\n: 2\nversion: 1", "6:3: a key must be a word, got a list"),
        ("1e-6", "", "3:54: 'bound' must be a number, got nothing"),
        ("1e-6", "[1]", "3:55: 'bound' must be a number, got a list"),
        ("name: b", "name: '010'", "4:11: 'name' 010 is used on line 3 already"),
        (
            "  - name: b\n    sizes: []",
            "  - b",
            (
                "4:5: 'items[1]' must be a mapping with the keys"
                " name, sizes, bound, exact, got the text 'b'"
            ),
        ),
        (
            "version: 1",
            "version: 1\n<<: {}",
            ("7:1: unknown key '<<'; the keys are version, items"),
        ),
        (
            "version: 1",
            "\tversion: 1",
            ("6:1: not YAML: found character '\\t' that cannot start any token"),
        ),
        ("[1, -2]", "[1, -2", "3:58: not YAML: expected ',' or ']', but got '}'"),
        ("version: 1", "version: *a", "6:10: not YAML: found undefined alias 'a'"),
        ("version: 1", "---\nversion: 1", "6:1: not YAML: but found another document"),
        ("version: 1", "version: \x00", "6:10: not YAML: the character #x0000 is not allowed"),
    ],
)
def test_one_mistake_has_one_message(tmp_path: Path, old: str, new: str, message: str) -> None:
    first, *excerpt = report(tmp_path, GOOD.replace(old, new, 1)).splitlines()
    assert first == f"pipeline.yaml:{message}"
    assert len(excerpt) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: the file is empty"),
        (
            "- 1\n",
            (
                "1:1: 'pipeline.yaml' must be a mapping with the keys version, items, got a list"
                "\n    1 | - 1\n      | ^"
            ),
        ),
        (b"a: 1\nb: \xff\n", "2:4: this byte is not UTF-8\n    2 | b: \ufffd\n      |    ^"),
    ],
)
def test_what_is_no_settings_file_at_all(tmp_path: Path, text: str | bytes, message: str) -> None:
    assert report(tmp_path, text) == f"pipeline.yaml:{message}"


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r":1:1: the file cannot be read: Is a directory$"):
        load(tmp_path, Settings)


def test_mistakes_go_to_stderr_and_exit_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        load_or_exit(tmp_path / "pipeline.yaml", Settings)
    assert caught.value.code == 3
    assert capsys.readouterr() == ("", "pipeline.yaml:1:1: the file does not exist\n")

"""Reading the file that callgrind writes: how many instructions each function itself executed.

The format is that of https://valgrind.org/docs/manual/cl-format.html: a cost line holds a
position and a cost, and belongs to the `fn=` before it. After `calls=`, the next line is what the
callee cost, which is counted where the callee is. A name is given once, with a number in brackets
that stands for it afterwards.
"""

from __future__ import annotations

import re

NAMED = re.compile(r"(c?fn)=(?:\((\d+)\))?(?: *(\S.*))?")
COST = re.compile(r"(?:[-+]?(?:0x[0-9a-fA-F]+|\d+)|\*) +(\d+)\b")


class ProfileError(Exception):
    """The file is none that callgrind writes, or does not add up; the message is one line."""


def self_costs(profile: str) -> dict[str, int]:
    """Return the instructions of each function, without those of what it calls.

    ProfileError unless they add up to the total that the profile states.
    """
    names: dict[str, str] = {}
    costs: dict[str, int] = {}
    function = ""
    is_callees = False
    for line in profile.splitlines():
        if named := NAMED.fullmatch(line):
            name = _name(named, names)
            if named[1] == "fn":
                function = name
        elif line.startswith("calls="):
            is_callees = True
        elif cost := COST.match(line):
            if not is_callees:
                costs[function] = costs.get(function, 0) + int(cost[1])
            is_callees = False
    _check_sum(profile, costs)
    return costs


def _name(named: re.Match[str], names: dict[str, str]) -> str:
    """Return the name that a line gives or refers to, and note it."""
    _, number, text = named.groups()
    if number is None:
        return text or ""
    if text is not None:
        names[number] = text
    if number not in names:
        raise ProfileError(f"the profile uses the name ({number}) before it gives it")
    return names[number]


def _check_sum(profile: str, costs: dict[str, int]) -> None:
    """Raise ProfileError unless the costs add up, and are of instructions alone."""
    events = re.findall(r"^events: (.*)$", profile, re.MULTILINE)
    if events != ["Ir"]:
        raise ProfileError(f"the profile is of the events {events}, not of Ir alone")
    totals = re.findall(r"^totals: (\d+)$", profile, re.MULTILINE)
    if totals != [str(sum(costs.values()))]:
        raise ProfileError(f"the functions add up to {sum(costs.values())}, not to {totals}")

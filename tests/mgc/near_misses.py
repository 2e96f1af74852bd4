"""Hypothesis strategies: texts that are nearly programs, or nearly IR."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn

CONFORMANCE = Path(__file__).with_name("conformance")
PROGRAMS = [path.read_text() for path in sorted(CONFORMANCE.glob("*.mg"))]
IR_TEXTS = [path.read_text() for path in sorted(CONFORMANCE.glob("*.mlir"))]

_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
_ODD = ("?", "1", "0", "x", "=", "-", "é", "\0", "\r", "\n", "[", "]", "(", ")", "9" * 30, "1e999")


@st.composite
def near_misses(draw: DrawFn, texts: st.SearchStrategy[str]) -> str:
    """Delete, repeat, swap, replace or insert a few tokens of one of the texts."""
    tokens = _TOKEN.findall(draw(texts))
    for _ in range(draw(st.integers(1, 4))):
        if tokens:
            _change(draw, tokens)
    return "".join(tokens)


def _change(draw: DrawFn, tokens: list[str]) -> None:
    places = st.integers(0, len(tokens) - 1)
    first, second = draw(places), draw(places)
    change = draw(st.sampled_from(("delete", "repeat", "swap", "replace", "insert")))
    if change == "delete":
        del tokens[first : first + draw(st.integers(1, 3))]
    elif change == "repeat":
        tokens.insert(second, tokens[first])
    elif change == "swap":
        tokens[first], tokens[second] = tokens[second], tokens[first]
    elif change == "replace":
        tokens[first] = draw(_pieces(tokens))
    else:
        tokens.insert(first, draw(_pieces(tokens)))


def _pieces(tokens: Sequence[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(_ODD), st.sampled_from(tokens), st.characters())

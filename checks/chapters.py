"""The book's chapter programs: which of the programs they are, and what must come out of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ground_truth import attention, attention_data, transformer, transformer_data

if TYPE_CHECKING:
    from collections.abc import Callable

EXPECTED = Path(__file__).with_name("expected")


@dataclass(frozen=True, slots=True)
class Expected:
    """What an independent program computed in double precision, from checks/expected.

    `curve` has the losses of plain gradient descent, before the first step and after each.
    """

    loss: float
    grads: dict[str, list[list[float]]]
    curve: list[float]
    params: dict[str, list[list[float]]]


@cache
def expected(name: str) -> Expected:
    """Return the values of a chapter: h33, h34 or h35."""
    return Expected(**json.loads((EXPECTED / f"{name}.json").read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class Training:
    """The chapter's own training, and as many of its steps as are compared.

    `program` writes it for a number of steps, with the loss as every `losses`-th print, and the
    parameter `parameters[i]` after step k as a let of that name with k appended.
    """

    program: Callable[[int], str]
    parameters: tuple[str, ...]
    losses: int
    steps: int
    rate: float
    falls: bool


@dataclass(frozen=True, slots=True)
class Chapter:
    """A program of the book: the name of its expected values, and its training if it has one."""

    expected: str
    training: Training | None = None


_ATTENTION = Training(
    attention.program,
    tuple(attention_data.parameters()),
    losses=2,
    steps=10,
    rate=3.0,
    falls=True,
)
_TRANSFORMER = Training(
    transformer.program,
    tuple(transformer_data.parameters()),
    losses=1,
    steps=40,
    rate=1.0,
    falls=False,
)
CHAPTERS = {
    "h33_attention": Chapter("h33", _ATTENTION),
    "h34_layer_norm": Chapter("h34"),
    "h35_transformer_step1": Chapter("h35", _TRANSFORMER),
}
"""By the name of the program in pipeline.yaml."""

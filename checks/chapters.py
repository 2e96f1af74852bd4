"""The book's chapter programs: which of the programs they are, and what must come out of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ground_truth import attention, attention_data, transformer, transformer_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from ground_truth.literal_text import Matrix
    from mgc.meanings import Array

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

    `program` writes it for a number of steps, with the loss as every `losses`-th print, and a
    parameter of `initial` after step k as a let of its name with k appended. `steps` of them are
    compared in one program that has them all, `long` of them by running one step again and again.
    """

    program: Callable[[int], str]
    initial: Callable[[], dict[str, Matrix]]
    losses: int
    steps: int
    long: int
    rate: float
    falls: bool

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.initial())

    def start(self) -> list[Array]:
        """Return the parameters before the first step."""
        return [np.array(matrix, dtype=np.float64) for matrix in self.initial().values()]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A program of the book: the name of its expected values, and its training if it has one."""

    expected: str
    training: Training | None = None


_ATTENTION = Training(
    attention.program,
    attention_data.parameters,
    losses=2,
    steps=10,
    long=10,
    rate=3.0,
    falls=True,
)
_TRANSFORMER = Training(
    transformer.program,
    transformer_data.parameters,
    losses=1,
    steps=3,
    long=40,
    rate=1.0,
    falls=False,
)
CHAPTERS = {
    "h33_attention": Chapter("h33", _ATTENTION),
    "h34_layer_norm": Chapter("h34"),
    "h35_transformer_step1": Chapter("h35", _TRANSFORMER),
}
"""By the name of the program in pipeline.yaml."""

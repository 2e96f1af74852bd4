"""Random programs that can be differentiated: drawn once, and the same for every subject."""

from __future__ import annotations

import gc
from functools import lru_cache

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from checks.random_domains import DIFFERENTIABLE
from checks.random_expressions import SPELLED
from checks.random_programs import Program, programs
from mgc import ops

USABLE = tuple(op for op in SPELLED if op is not ops.PERMUTE)
"""Each is as likely as the others to be what a program is made around."""


def losses() -> st.SearchStrategy[Program]:
    """Return the strategy of programs that print a loss, around an operation of the table."""
    return st.sampled_from(USABLE).flatmap(lambda op: programs(DIFFERENTIABLE, loss=True, using=op))


@lru_cache(maxsize=4)
def drawn_sources(examples: int, number: int) -> tuple[str, ...]:
    """Return so many programs, drawn from the seed `number`."""
    sources: list[str] = []

    @seed(number)
    @settings(
        max_examples=examples,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.data_too_large,
        ],
    )
    @given(losses())
    def collect(program: Program) -> None:
        sources.append(program.source)

    # When it starts, Hypothesis collects garbage, of which a process that has run checks has little
    # beside much else to look through.
    gc.freeze()
    try:
        collect()
    finally:
        gc.unfreeze()
    return tuple(sources)

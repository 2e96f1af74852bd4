"""Measurements that were never made, to test what is made of measurements."""

from __future__ import annotations

from cost.measurement import LEVELS, Level, Measurement
from cost.variants import NAMES

INSTRUCTIONS = {"hand": 1000, "plain": 1250, "loss": 500}


def measurement(program: str, variant: str, level: Level) -> Measurement:
    """Make one up: half the instructions at -O2, a spread over ten operations."""
    total = INSTRUCTIONS.get(variant, 800) // (2 if level == "O2" else 1)
    parts = ("add", "mul", "div", "exp", "log", "row_sum", "libm", "copy", "main")
    by_op = {part: total // 100 * number for number, part in enumerate(parts, start=1)}
    by_op = {"matmul": total - sum(by_op.values())} | by_op
    return Measurement(program, variant, level, len(variant), 10 * len(variant), total, by_op)


def measurements(*programs: str) -> list[Measurement]:
    """Make up those of some programs."""
    return [
        measurement(program, variant, level)
        for program in programs
        for variant in NAMES
        for level in LEVELS
    ]

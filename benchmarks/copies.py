"""What it costs to try wrong copies of autograd: `python -m benchmarks.copies [ID ...]`.

CPU seconds of the original's own trials, and of the copies of each kind, or of those named. A copy
that had to go through every trial itself would cost what the original does: the ratio says how many
times less the copies do. Memory of earlier runs is not used.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.measure import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mutants.baseline import Baseline
    from mutants.spec import Mutant
    from mutants.trials import CheckSuite

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Measure the original and the copies, and print a line for each kind."""
    from checks.programs import listed_programs
    from checks.warmth import warm
    from mutants.baseline import baseline_of
    from mutants.hand_written import MUTANTS
    from mutants.trials import CheckSuite

    chosen = [each for each in MUTANTS if each.id in sys.argv[1:] or not sys.argv[1:]]
    suite = CheckSuite(listed_programs(ROOT))
    with warm(), tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        baseline = baseline_of(suite, ROOT)
        original = time.process_time() - start
        print(f"CPU seconds on {machine()}")
        print(f"original: {original:.1f} for {len(baseline.trials)} trials")
        print(f"{'copies':10} {'number':>6} {'total':>7} {'median':>7} {'most':>6} {'ratio':>6}")
        seconds: dict[str, list[float]] = {}
        for mutant in chosen:
            spent = _cpu_seconds(mutant, Path(folder), suite, baseline)
            seconds.setdefault(mutant.kind, []).append(spent)
    for kind, row in seconds.items():
        _print(kind, row, original)
    _print("all", [each for row in seconds.values() for each in row], original)


def _cpu_seconds(mutant: Mutant, folder: Path, suite: CheckSuite, baseline: Baseline) -> float:
    """Return what the process of a copy takes."""
    from mutants.copies import write_copy
    from mutants.run import run_copy

    write_copy(mutant, ROOT / "autograd", folder / mutant.id)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run_copy(folder / mutant.id, suite, baseline)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _print(kind: str, row: Sequence[float], original: float) -> None:
    ratio = original * len(row) / sum(row)
    figures = f"{sum(row):7.1f} {median(row):7.2f} {max(row):6.2f} {ratio:6.1f}"
    print(f"{kind:10} {len(row):6} {figures}")


if __name__ == "__main__":
    main()

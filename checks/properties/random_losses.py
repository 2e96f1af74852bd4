"""Every gradient of a random program is the slope by complex step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.slope_comparison import compare_slopes
from checks.writing import Unanswered

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

TOLERANCE = 1e-11
REASON = (
    "of the largest element, or of 1 where all are smaller: the values of a drawn program go up to "
    "100, so that terms which cancel leave some 1e-14"
)


@on_its_own("random-programs", 8, "Random programs: every element by complex step", item="random")
def check(setting: Setting) -> Finding:
    """Compare every gradient of every drawn program; of the failures the shortest is told."""
    return _compared(setting, optimized=False)


@on_its_own("random-programs-optimized", 8, "The same with -O", item="random")
def check_optimized(setting: Setting) -> Finding:
    """Compare what -O writes."""
    return _compared(setting, optimized=True)


def _compared(setting: Setting, *, optimized: bool) -> Finding:
    from checks.drawn import drawn_sources

    sources = drawn_sources(setting.draw.examples, setting.draw.seed)
    comparison = Comparison(TOLERANCE, REASON)
    failed: list[str] = []
    for number, source in enumerate(sources):
        own = Comparison(TOLERANCE, REASON)
        try:
            compare_slopes(own, setting.subject, source, f"program {number}", optimized=optimized)
        except Unanswered as unanswered:
            raise Unanswered(unanswered.cause, f"{unanswered.message}\n{source}") from None
        comparison.include(own)
        if not own.finding().passed:
            failed.append(source)
    finding = comparison.finding()
    if failed:
        shortest = min(failed, key=len)
        detail = f"{finding.detail}; {len(failed)} of {len(sources)} programs fail, the shortest is"
        finding = replace(finding, detail=f"{detail}\n{shortest}")
    return finding

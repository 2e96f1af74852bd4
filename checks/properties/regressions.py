"""Programs on which this or another tool was once wrong: checks/regressions/*.mg."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.slope_comparison import compare_slopes

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

TOLERANCE = 1e-12
REASON = "of the largest element, or of 1 where all are smaller: both are exact but for rounding"
FOLDER = Path(__file__).resolve().parent.parent / "regressions"


@on_its_own("regressions", 8, "Programs on which a tool was once wrong", item="random")
def check(setting: Setting) -> Finding:
    """Compare every gradient of every program with the complex step."""
    comparison = Comparison(TOLERANCE, REASON)
    for file in sorted(FOLDER.glob("*.mg")):
        source = file.read_text("utf-8")
        for optimized in (False, True):
            name = f"{file.stem}{' with -O' if optimized else ''}"
            compare_slopes(comparison, setting.subject, source, name, optimized=optimized)
    return comparison.finding()

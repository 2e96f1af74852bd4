"""IR text that is none, from whatever compiler, is refused with its line.

So is IR text of another source, as far as its literals tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.refused import REASON, compare_refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from checks.check import Setting
    from checks.verdict import Finding

_SOURCE = "let w = [[1.0, 2.0]]\nprint row_sum(w)\n"
_HEAD = "func.func @main() -> i32 {\n"
_W = "  %t1 = mg.constant dense<[[1.0, 2.0]]> : tensor<1x2xf64>\n"
_SUM = '  %t2 = mg.reduce %t1 {axis = 1 : i64, kind = "sum"} : tensor<1x2xf64> -> tensor<1x1xf64>\n'
_PRINT = "  mg.print %t2 : tensor<1x1xf64>\n"
_TAIL = "  %zero = arith.constant 0 : i32\n  func.return %zero : i32\n}\n"

TEXTS = {
    "nothing": ("\n", 2, "the text has no function @main"),
    "nonsense": ("nonsense\n", 1, "`func.func @NAME(...) -> TYPE {` is wanted here"),
    "no end": (_HEAD + _W, 1, "the '{' of @main is never closed"),
    "no return": (_HEAD + _W + _SUM + _PRINT + "}\n", 5, "@main ends without func.return"),
    "main twice": ((_HEAD + _W + _TAIL) * 2, 6, "the function @main is already there"),
    "an unknown value": (_HEAD + _SUM + _PRINT + _TAIL, 2, "%t1 is not defined"),
    "a value twice": (_HEAD + _W + _W + _TAIL, 3, "%t1 is defined twice"),
    "a wrong type": (
        _HEAD + _W.replace("1x2", "2x1") + _TAIL,
        2,
        "a 1x2 constant of type tensor<2x1xf64>",
    ),
    "a wrong result type": (
        _HEAD + _W + _SUM.replace("-> tensor<1x1", "-> tensor<1x2") + _TAIL,
        3,
        "row_sum gives 1x1, not 1x2",
    ),
    "an unknown operation": (
        _HEAD + _W + _SUM.replace("mg.reduce", "mg.total") + _TAIL,
        3,
        'there is no operation mg.total {axis = 1 : i64, kind = "sum"}',
    ),
    "no statement": (
        _HEAD + _W + "  gibberish\n" + _TAIL,
        3,
        "this is no statement of the IR: gibberish",
    ),
}

TWO_LITERALS = "let w = [[1.0, 2.0]]\nlet u = [[3.0, 4.0]]\nprint row_sum(w * u)\n"
LITERALS = {
    "the other order": ("[[3.0, 4.0]]", "[[1.0, 2.0]]"),
    "another number": ("[[1.0, 2.0]]", "[[3.0, 5.0]]"),
    "another sign": ("[[1.0, 2.0]]", "[[3.0, -4.0]]"),
    "another shape": ("[[1.0, 2.0]]", "[[3.0], [4.0]]"),
    "one more": ("[[1.0, 2.0]]", "[[3.0, 4.0]]", "[[3.0, 4.0]]"),
    "one less": ("[[1.0, 2.0]]",),
}
"""Literals that a compiler could list for `TWO_LITERALS`, and should not."""


@on_its_own("malformed-ir", 5, "IR text that is none is refused, by line", item="refusals")
def check(setting: Setting) -> Finding:
    """Give IR text with one thing wrong, and compare the line."""
    comparison = Comparison(0.0, REASON)
    for name, (text, line, cause) in TEXTS.items():
        answer = setting.subject.gradient_by_ir(_SOURCE, text, ("w",))
        message = f"mgc mlir program.mg:{line}: error: IR: {cause} (column 1)"
        compare_refusal(comparison, name, answer, message)
    return comparison.finding()


@on_its_own("other-literals", 5, "IR text of another source is refused", item="refusals")
def check_literals(setting: Setting) -> Finding:
    """Give IR text with other literals than those of the source, and compare the line."""
    comparison = Comparison(0.0, REASON)
    for name, literals in LITERALS.items():
        answer = setting.subject.gradient_by_ir(TWO_LITERALS, _listing(literals), ("w",))
        message = (
            "program.mg: error: mgc mlir program.mg does not list the 2 matrix literals of the "
            "source in their order, so names cannot be given to them"
        )
        compare_refusal(comparison, name, answer, message)
    return comparison.finding()


def _listing(literals: Iterable[str]) -> str:
    """Return IR text that lists the literals and prints a number made of the first."""
    lines = [_HEAD]
    for number, literal in enumerate(literals, start=1):
        shape = "2x1" if "], [" in literal else "1x2"
        lines.append(f"  %l{number} = mg.constant dense<{literal}> : tensor<{shape}xf64>\n")
    return "".join([*lines, _SUM.replace("%t1", "%l1"), _PRINT, _TAIL])

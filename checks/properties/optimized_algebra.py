"""Every way in which `-O` rewrites a program, in a program made for it.

Matrices are square where factors or axes could be exchanged, so that a mistake is a wrong value
and no wrong shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden
from checks.slope_comparison import compare_slopes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from checks.check import Setting
    from checks.verdict import Finding

TOLERANCE = 1e-13
REASON = (
    "of the largest element, or of 1 where all are smaller: both are exact but for the rounding "
    "of a few steps"
)
EXACT = "equal entries share evenly: halves and products of small integers are exact"

_LETS = (
    "let w = [[0.7, -1.3, 2.1], [1.9, 0.4, -0.6]]\nlet u = [[1.1, 0.3, -0.8], [-0.5, 2.2, 1.4]]\n"
    "let c = [[1.7], [-2.3]]\nlet r = [[0.9, 1.2, -0.4]]\n"
    "let s = [[0.6, -1.1], [1.3, 0.2]]\nlet t = [[-0.9, 0.5], [0.8, 1.6]]\n"
)
_SOFTMAX = "let z = w * r\nlet m = row_max(z)\nlet e = exp(z - m)\nlet a = e / row_sum(e)\n"
_OBLONG = "[[0.3, -0.7, 0.9], [1.1, 0.2, -0.4]]"
_SQUARE = "[[0.3, -0.7], [1.1, 0.2]]"


def _oblong(*terms: str, lets: str = "") -> str:
    """Return a program that prints a weighted sum of terms of two rows and three columns."""
    return f"{_LETS}{lets}print col_sum(row_sum(({' + '.join(terms)}) * {_OBLONG}))\n"


def _square(*terms: str) -> str:
    """Return a program that prints a weighted sum of terms of two rows and two columns."""
    return f"{_LETS}print col_sum(row_sum(({' + '.join(terms)}) * {_SQUARE}))\n"


SOURCES = {
    "a product needed twice": _oblong("exp(w * u) * u", "exp(w * u) * w"),
    "one operation with two numbers": _oblong("w * 2 * u", "u * (w * 3)", "(w + 2) * (w + 3)"),
    "one operation with two shapes": _square(
        "reshape(reshape(s * t, 1, 4), 2, 2)", "reshape(reshape(s * t, 4, 1), 2, 2) * t"
    ),
    "equal entries in two shapes": _square("s * [[3, 5]]", "t * s * [[3], [5]]"),
    "matrices of one number": _oblong("w * [[3, 3, 3], [3, 3, 3]]", "u * w * [[1, 1, 1]]"),
    "numbers on either side": _oblong(
        "([[5]] - w) * u", "(w - [[5]]) * u", "[[5]] / w", "(2 + w) * u", "(2 * w) * u", "w / 1 * 1"
    ),
    "a negation added or subtracted": _oblong(
        "(w + (-u)) * w", "((-w) + u) * u", "(w - (-u)) * (w - (-u))"
    ),
    "negated factors": _oblong("(-w) * (-u) * w", "(-w) * u", "u * (-u) * w"),
    "negated quotients": _oblong("(-w) / (-u)", "(-w) / u", "w / (-u)", "-(w * 3) * u"),
    "twice negated": _oblong("-(-w) * u", "-(-(-u)) * w"),
    "twice transposed": _square("transpose(transpose(s)) * t", "s * t"),
    "a transpose of scaled entries": _square(
        "transpose(s * 3) * t", "transpose(-s) * t", "transpose(s / 7) @ t"
    ),
    "a reshape of scaled entries": _oblong(
        "reshape(reshape(w * 3, 3, 2), 2, 3) * u", "reshape(reshape(-w, 1, 6), 2, 3) * w"
    ),
    "the same term again": _oblong(
        "(w + w) * u", "((w * 3) + w) * u", "((u + w) + w) * w", "(w + (u * 5) + u) * r"
    ),
    "numbers added": _oblong("((w + 2) + u) * ((w + 2) + u)", "(u + (w + 3)) * w"),
    "numbers merged": _oblong("((w * 2) * 3) * u", "((w / 2) * 3) * u", "((w * r) * 5)"),
    "divided numbers merged": _oblong("((w * 2) / 5) * u", "((-w) / 5) * u", "((w / 2) / 5) * u"),
    "numbers in factors and quotients": _oblong("(w * 3) * u", "(w * 3) / u", "u / (w * 3)"),
    "a quotient reused": _oblong("(w / u) * (w / u)", "w / c", "(w / row_sum(w * w)) * u"),
    "sums of what is stretched": _oblong(
        "row_sum(c + [[0, 0, 0]]) * w", "row_sum(c + w) * [[2], [5]]", "col_sum(r + w) * u"
    ),
    "a factor out of a sum": _oblong(
        "row_sum(w * c) * w", "row_sum(u / c) * w", "col_sum(w * r) * u", "col_sum(-w * 3) * w"
    ),
    "numbers out of products": _square("(s * 3) @ t", "s @ (-t)", "(s / 7) @ (t * s)"),
    "adjoints that are one number": f"{_LETS}print col_sum(row_sum(w * w - u)) * 3 / 4\n",
    "a softmax": _oblong("a * a", lets=_SOFTMAX),
    "a softmax of columns": _oblong(
        "e / col_sum(e) * w", lets="let e = exp(w * u - col_max(w * u))\n"
    ),
    "a softmax whose parts are used elsewhere": _oblong("a * a", "e * u", "m * w", lets=_SOFTMAX),
    "a log-softmax": _oblong("p * p", lets=f"{_SOFTMAX}let p = (z - m) - log(row_sum(e))\n"),
    "a log-softmax of columns": _oblong("p * w", lets="let p = w - log(col_sum(exp(w)))\n"),
    "the log of a softmax": _oblong("log(a) * w", lets=_SOFTMAX),
    "a quotient by another total": _oblong("exp(w) / row_sum(exp(u))", "w * u"),
    "a quotient by the total along the other axis": _oblong(
        "e / col_sum(e)", "log(e / row_sum(e))", lets="let e = exp(w - row_max(w))\n"
    ),
    "a log of another total": _oblong(
        "w - log(row_sum(exp(u)))", "w - log(row_sum(w * w))", "w * u"
    ),
    "a shift that varies along the axis": _oblong(
        "e / row_sum(e)", "w * r", lets="let e = exp(w - r)\n"
    ),
    "a difference that is no shift": _oblong(
        "e / row_sum(e)", "w * u", lets="let e = exp(w - u)\n"
    ),
}

PRODUCTS = {
    "a transposed product": _square("transpose(transpose(s) @ t) * s"),
    "a product of transposes": _square("transpose(s) @ transpose(t) * s"),
    "a product of three, from the left": (
        "let w = [[0.7, -1.3], [2.1, 1.9], [0.4, -0.6], [1.1, 0.3]]\n"
        "print col_sum(row_sum(w @ [[2, 3], [5, 7]] @ [[1, 4], [-2, 6]] "
        "* [[2, 3], [5, 1], [1, 4], [3, 2]]))\n"
    ),
    "a product of three, from the right": (
        "let w = [[0.7, -1.3, 2.1, 1.9], [0.4, -0.6, 1.1, 0.3]]\n"
        "print col_sum(row_sum(([[2, 3], [5, 7]] @ ([[1, 4], [-2, 6]] @ w)) "
        "* [[2, 3, 1, 4], [5, 1, 2, 3]]))\n"
    ),
}
"""Products in which every factor that could be exchanged for another has the same sizes as it."""

LARGE = (
    Golden(
        "a softmax",
        "let z = [[400, 400]]\nlet e = exp(z)\nprint row_sum(e / row_sum(e) * [[3, 1]])\n",
        {"z": [[0.5, -0.5]]},
    ),
    Golden(
        "a softmax of columns",
        "let z = [[-400], [-400]]\nlet e = exp(z)\nprint col_sum(e / col_sum(e) * [[1], [5]])\n",
        {"z": [[-1], [1]]},
    ),
)
"""The square of the total is too large for a number, or too small: it takes the adjoint that goes
past the total to get this right."""


@on_its_own("optimized-algebra", 1, "With -O every rewriting gives the right slope", item="rules")
def check(setting: Setting) -> Finding:
    """Compare the loss and every gradient of each program with the complex step."""
    return _compared(setting, SOURCES)


@on_its_own("optimized-products", 1, "With -O factors keep their order", item="rules")
def check_products(setting: Setting) -> Finding:
    """Compare the loss and every gradient of each product with the complex step."""
    return _compared(setting, PRODUCTS)


@on_its_own("optimized-softmax", 1, "With -O a softmax needs no square", item="rules")
def check_softmax(setting: Setting) -> Finding:
    """Compare with gradients worked out by hand, where only a softmax as a whole has them."""
    comparison = Comparison(0.0, EXACT)
    compare_golden(comparison, setting.subject, LARGE, optimized=True)
    return comparison.finding()


def _compared(setting: Setting, sources: Mapping[str, str]) -> Finding:
    comparison = Comparison(TOLERANCE, REASON)
    for name, source in sources.items():
        compare_slopes(comparison, setting.subject, source, name, optimized=True)
    return comparison.finding()

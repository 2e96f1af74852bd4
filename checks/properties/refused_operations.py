"""What cannot be differentiated is refused, naming every operation and its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.refused import REASON, compare_refusal

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

_W = "let w = [[1, 2]]\n"

OPERATIONS = {
    "permute": (
        f"{_W}print w @ permute(w, 1, 0)\n",
        "permute (line 2) is not differentiated: permute reorders the axes of values of any rank",
    ),
    "values that are no matrices": (
        f"{_W}let r = permute(reshape(w, 1, 1, 2), 2, 0, 1)\nprint col_sum(reshape(r, 2, 1))\n",
        (
            "reshape (line 2) gives 1x1x2, which is not a matrix; "
            "permute (line 2) gives 2x1x1, which is not a matrix; "
            "permute (line 2) is not differentiated: "
            "permute reorders the axes of values of any rank"
        ),
    ),
    "a vector": (
        f"{_W}print row_sum(reshape(reshape(w, 2), 1, 2))\n",
        "reshape (line 2) gives 2, which is not a matrix",
    ),
    "a loss of another rank": (
        "let w = [[1]]\nprint reshape(w, 1, 1, 1)\n",
        (
            "the loss, print 0 (line 2), is 1x1x1 and not 1x1; sum it, as in "
            "print col_sum(row_sum(x)); reshape (line 2) gives 1x1x1, which is not a matrix"
        ),
    ),
    "an operation in the first of two defs": (
        (
            "def f(a: tensor[1x2]) = permute(a, 1, 0)\ndef g(a: tensor[1x2]) = a @ f(a)\n"
            f"{_W}print g(w)\n"
        ),
        "permute (line 1) is not differentiated: permute reorders the axes of values of any rank",
    ),
    "sizes known only when the program runs": (
        f"def f(a: tensor[?x2]) = a * a\n{_W}print col_sum(row_sum(f(w)))\n",
        (
            "mul (line 1) gives ?x2, a shape known only when the program runs; "
            "row_sum (line 3) gives ?x1, a shape known only when the program runs"
        ),
    ),
    "sizes that only meet when the program runs, and do not fit": (
        (
            "def f(a: tensor[1x?], b: tensor[?x2]) = a @ b\n"
            f"{_W}print row_sum(f(w, [[1, 2], [3, 4], [5, 6], [7, 8]]))\n"
        ),
        "matmul (line 1): 1x2 @ 4x2 does not fit: 2 columns on the left, 4 rows on the right",
    ),
    "such sizes where no gradient passes": (
        f"def f(a: tensor[1x?]) = a + a\n{_W}print row_sum(w) * row_sum(f([[2, 3]]))\n",
        "add (line 1) gives 1x?, a shape known only when the program runs",
    ),
}

SOURCE_OF_IR = "let w = [[1.0, 2.0]]\nprint row_sum(w * w)\n"
OTHER_IR = """\
func.func @main() -> i32 {
  %t1 = mg.constant dense<[[1.0, 2.0]]> : tensor<1x2xf64>
  %t2 = mg.permute %t1 {permutation = array<i64: 1, 0>} : tensor<1x2xf64> -> tensor<2x1xf64>
  %t3 = mg.matmul %t1, %t2 : tensor<1x2xf64>, tensor<2x1xf64> -> tensor<1x1xf64>
  mg.print %t3 : tensor<1x1xf64>
  %zero = arith.constant 0 : i32
  func.return %zero : i32
}
"""
"""As many statements as the source has, and others: where these stand, nobody can know."""


@on_its_own("refused-operations", 5, "What has no derivative is refused, by line", item="refusals")
def check(setting: Setting) -> Finding:
    """Provoke every refusal of an operation, and compare the line."""
    comparison = Comparison(0.0, REASON)
    for name, (source, causes) in OPERATIONS.items():
        answer = setting.subject.gradient(source, ("w",))
        compare_refusal(comparison, name, answer, f"program.mg: error: {causes}")
    answer = setting.subject.gradient_by_ir(SOURCE_OF_IR, OTHER_IR, ("w",))
    causes = "permute is not differentiated: permute reorders the axes of values of any rank"
    compare_refusal(comparison, "operations of IR text", answer, f"program.mg: error: {causes}")
    return comparison.finding()

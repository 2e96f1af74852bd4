"""What has an equal value, an equal name or a name like a generated one is not mixed up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.golden import Golden, compare_golden

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "sums and products of small integers are exact"

GOLDENS = (
    Golden(
        "equal literals, some of them without a name",
        "let first = [[2, 3]]\nlet product = first * [[2, 3]] * [[5, 7]]\n"
        "let second = [[2, 3]]\nprint row_sum(product + second * [[11, 13]])\n",
        {"first": [[10, 21]], "second": [[11, 13]]},
    ),
    Golden(
        "equal literals, asked for in another order",
        "let a = [[2]]\nlet b = [[2]]\nlet c = [[2]]\nprint a * [[3]] + b * [[5]] + c * [[7]]\n",
        {"c": [[7]], "a": [[3]], "b": [[5]]},
    ),
    Golden(
        "a let that hides an equal one",
        "let w = [[2]]\nlet early = w * [[3]]\nlet w = [[2]]\nprint early + w * [[5]]\n",
        {"w": [[5]]},
    ),
    Golden(
        "a let that hides another",
        "let w = [[2, 4]]\nlet early = row_sum(w * w)\nlet w = [[7, 9]]\n"
        "print early * row_sum(w * [[1, 3]])\n",
        {"w": [[20, 60]]},
    ),
    Golden(
        "a let that hides one of another shape",
        "let w = [[2, 4]]\nlet early = row_sum(w)\nlet w = [[7], [9]]\n"
        "print early * col_sum(w * [[1], [3]])\n",
        {"w": [[6], [18]]},
    ),
    Golden(
        "an equal literal inside a def",
        "def f(a: tensor[1x1]) = a * [[2]] + [[3]]\nlet b = [[3]]\nlet c = [[2]]\n"
        "print f(b) * f(c) + [[3]] * c\n",
        {"b": [[14]], "c": [[21]]},
    ),
    Golden(
        "a literal that is printed before the lets",
        "print [[3]]\nlet a = [[5]]\nlet b = [[7]]\nprint a * b * b\n",
        {"b": [[70]]},
        loss=1,
    ),
    Golden(
        "a loss that is the matrix itself, beside an equal one",
        "let a = [[4]]\nlet b = [[4]]\nprint b\n",
        {"b": [[1]]},
    ),
    Golden(
        "names like those of -O",
        "let w = [[2]]\nlet a = [[5]]\nlet Ga = w * w\nlet d_w = Ga * a\nlet Gw = d_w * a\n"
        "print Gw * d_w + Ga * w\n",
        {"w": [[4 * 8 * 125 + 3 * 4]], "a": [[3 * 16 * 25]]},
    ),
    Golden(
        "a literal in brackets, with blanks and a comment",
        "print [[4]] * [[4]]\nlet   b=( [ [4 , - 2.5] ] )  # [[4]]\n"
        "let c = [[4, -2.5]]\nprint row_sum(b * [[3, 2]] + c)\n",
        {"b": [[3, 2]], "c": [[1, 1]]},
        loss=1,
    ),
    Golden(
        "a parameter of a def and a let of one name",
        "def f(w: tensor[1x1], u: tensor[1x1]) = w * w * u\nlet u = [[2]]\nlet w = [[5]]\n"
        "print f(u, w)\n",
        {"w": [[4]], "u": [[20]]},
    ),
    Golden(
        "names like generated ones",
        "let v1 = [[1, 2]]\nlet g6 = [[3], [-4]]\nlet ones7 = [[1, 1], [1, 1]]\n"
        "let zero12 = [[2]]\nlet m3 = [[5, 6]]\nlet p4 = [[7]]\nlet t5 = [[1]]\n"
        "let g1 = relu(v1 @ ones7) * m3\nlet v2 = row_max(g1 + v1)\nlet ones4 = g1 @ g6\n"
        "print v2 * zero12 + ones4 * p4 + relu(t5) * t5\n",
        {
            "v1": [[12 + 105 - 168, 12 + 2 + 105 - 168]],
            "g6": [[105], [126]],
            "ones7": [[105, 12 - 168], [210, 24 - 336]],
            "zero12": [[20]],
            "m3": [[63, 6 - 84]],
            "p4": [[-27]],
            "t5": [[2]],
        },
    ),
    Golden(
        "names of functions and words",
        "let relu = [[2, -3]]\nlet exp = [[5, 7]]\nlet tensor = [[1, 2]]\nlet loss = [[3]]\n"
        "print row_sum(relu(relu) * exp + tensor * exp) * loss\n",
        {
            "exp": [[9, 6]],
            "relu": [[15, 0]],
            "tensor": [[15, 21]],
            "loss": [[29]],
        },
    ),
)


@on_its_own("told-apart", 7, "What looks alike is told apart, by value", item="structure")
def check(setting: Setting) -> Finding:
    """Compare with gradients worked out by hand."""
    comparison = Comparison(0.0, REASON)
    compare_golden(comparison, setting.subject, GOLDENS)
    return comparison.finding()

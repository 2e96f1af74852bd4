"""A request that a program cannot meet is refused, with every cause on one line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.refused import REASON, compare_refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from checks.check import Setting
    from checks.verdict import Finding


@dataclass(frozen=True, slots=True)
class Request:
    """A request, and the causes for refusing it."""

    name: str
    source: str
    wrt: tuple[str, ...]
    causes: str
    loss: int = 0
    unused_is_zero: bool = False


_W = "let w = [[1, 2]]\n"
_TWO_PRINTS = f"{_W}print row_sum(w)\nprint w\n"

REQUESTS = (
    Request(
        "nothing printed",
        _W,
        ("w",),
        "the program prints nothing, so there is no loss to differentiate",
    ),
    Request(
        "nothing printed, and a let that is none",
        f"{_W}let v = w * w\n",
        ("v", "q"),
        "the program prints nothing, so there is no loss to differentiate; "
        "'v' (line 2) is not a matrix literal but computed; "
        "there is no let 'q' (the lets are: w, v)",
    ),
    Request(
        "nothing printed, and all",
        _W,
        ("all",),
        "the program prints nothing, so there is no loss to differentiate",
    ),
    Request(
        "one print and another wanted",
        f"{_W}print row_sum(w)\n",
        ("w",),
        "there is no print 1 to be the loss; the program prints 1 matrix, number 0",
        loss=1,
    ),
    Request(
        "two prints and another wanted",
        _TWO_PRINTS,
        ("w",),
        "there is no print 2 to be the loss; the program prints 2 matrices, numbers 0 to 1",
        loss=2,
    ),
    Request(
        "a loss that is no 1x1",
        _TWO_PRINTS,
        ("w",),
        "the loss, print 1 (line 3), is 1x2 and not 1x1; sum it, as in print col_sum(row_sum(x))",
        loss=1,
    ),
    Request(
        "an unknown name",
        f"{_W}let weight = [[3]]\nprint row_sum(w) * weight\n",
        ("weigth",),
        "there is no let 'weigth'; did you mean 'weight'? (the lets are: w, weight)",
    ),
    Request(
        "an unknown name where there are none",
        "print [[1]]\n",
        ("w",),
        "there is no let 'w' (the lets are: none)",
    ),
    Request(
        "a let that is no literal",
        f"{_W}let v = w * w\nlet s = 2\nlet m = -[[1, 2]]\nprint row_sum(v * s + m)\n",
        ("v", "s", "m"),
        "'v' (line 2) is not a matrix literal but computed; "
        "'s' (line 3) is not a matrix literal but computed; "
        "'m' (line 4) is not a matrix literal but computed",
    ),
    Request(
        "a let that is no literal in the end",
        f"{_W}let w = w + w\nprint row_sum(w)\n",
        ("w",),
        "'w' (line 2) is not a matrix literal but computed",
    ),
    Request(
        "a name twice",
        f"{_W}let u = [[3]]\nprint row_sum(w) * u\n",
        ("w", "u", "w"),
        "'w' is asked for twice",
    ),
    Request(
        "a let that is hidden by another",
        "let w = [[1, 2]]\nlet v = w * w\nlet w = [[3, 4]]\nprint row_sum(v)\n",
        ("w",),
        "the loss does not depend on 'w'",
    ),
    Request(
        "all, where no let counts",
        f"{_W}print [[1]]\n",
        ("all",),
        "the loss depends on no let that is a literal",
    ),
    Request(
        "a flat loss",
        f"{_W}let u = [[3]]\nprint row_sum(ge(w, u)) * u\n",
        ("w", "u"),
        "the loss is flat in 'w': every path to it goes through a comparison (ge)",
    ),
    Request(
        "a flat loss, and an operation in the way",
        f"{_W}let u = [[3, 4]]\nprint row_sum(ge(w, [[1]])) * (u @ permute(u, 1, 0))\n",
        ("w", "u"),
        "permute (line 3) is not differentiated: permute reorders the axes of values of any rank",
    ),
    Request(
        "all, where a loss is flat",
        f"{_W}print row_sum(ge(w, [[1]]))\n",
        ("all",),
        "the loss depends on no let that is a literal",
    ),
    Request(
        "a flat loss, though zeros are asked for",
        f"{_W}let u = [[3]]\nprint row_sum(ge(w, [[1]]))\n",
        ("w", "u"),
        "the loss is flat in 'w': every path to it goes through a comparison (ge)",
        unused_is_zero=True,
    ),
)

SEVERAL = (
    Request(
        "a let that is no literal, and a matrix that is not used",
        f"{_W}let v = w * w\nlet u = [[3]]\nprint row_sum(v)\n",
        ("v", "u", "w"),
        "'v' (line 2) is not a matrix literal but computed; the loss does not depend on 'u'",
    ),
    Request(
        "matrices that the loss does not depend on",
        f"{_W}let u = [[1]]\nlet z = [[2]]\nprint row_sum(w)\nprint u\n",
        ("u", "w", "z"),
        "the loss does not depend on 'u'; the loss does not depend on 'z'",
    ),
    Request(
        "a loss that is flat in two matrices and does not depend on a third",
        f"{_W}let u = [[3]]\nlet z = [[5]]\nlet v = [[7]]\nprint row_sum(ge(w, u)) * v\n",
        ("u", "z", "v", "w"),
        "the loss does not depend on 'z'; "
        "the loss is flat in 'u': every path to it goes through a comparison (ge); "
        "the loss is flat in 'w': every path to it goes through a comparison (ge)",
    ),
    Request(
        "everything at once",
        f"{_W}let u = [[3]]\nprint permute(w, 1, 0)\n",
        ("q", "w", "u", "u"),
        "the loss, print 0 (line 3), is 2x1 and not 1x1; sum it, as in "
        "print col_sum(row_sum(x)); there is no let 'q' (the lets are: w, u); "
        "'u' is asked for twice; "
        "permute (line 3) is not differentiated: permute reorders the axes of values of any "
        "rank; the loss does not depend on 'u'",
    ),
    Request(
        "all, and a loss that is no 1x1",
        _TWO_PRINTS,
        ("all",),
        "the loss, print 1 (line 3), is 1x2 and not 1x1; sum it, as in print col_sum(row_sum(x))",
        loss=1,
    ),
    Request(
        "all, though nothing counts, and a loss that is no 1x1",
        f"{_W}print [[3, 4]]\n",
        ("all",),
        "the loss, print 0 (line 2), is 1x2 and not 1x1; sum it, as in "
        "print col_sum(row_sum(x)); the loss depends on no let that is a literal",
    ),
    Request(
        "an unknown name, and an operation in the way",
        f"{_W}print w @ permute(w, 1, 0)\n",
        ("w", "q"),
        "there is no let 'q' (the lets are: w); "
        "permute (line 2) is not differentiated: permute reorders the axes of values of any rank",
    ),
    Request(
        "an unknown name, and an operation that is not in the way",
        f"{_W}print row_sum(w * permute([[3], [5]], 1, 0))\n",
        ("w", "q"),
        "there is no let 'q' (the lets are: w)",
    ),
    Request(
        "an unknown name, and a flat loss",
        f"{_W}print row_sum(ge(w, [[1]]))\n",
        ("q", "w"),
        "there is no let 'q' (the lets are: w); "
        "the loss is flat in 'w': every path to it goes through a comparison (ge)",
    ),
    Request(
        "an unknown name, and a loss that is the matrix",
        "let w = [[2]]\nprint w\n",
        ("q", "w"),
        "there is no let 'q' (the lets are: w)",
    ),
)
"""Each is wrong in more than one way, or beside something that looks wrong and is not: where a
cause goes missing or comes in, the others are still told, and the line is another."""

ZEROS = (
    Request(
        "an unknown name, and an operation in the way",
        f"{_W}let u = [[3]]\nprint w @ permute(w, 1, 0)\n",
        ("u", "w", "q"),
        "there is no let 'q' (the lets are: w, u); "
        "permute (line 3) is not differentiated: permute reorders the axes of values of any rank",
        unused_is_zero=True,
    ),
    Request(
        "a loss that is no 1x1, and an operation in the way",
        f"{_W}let u = [[3]]\nprint permute(w, 1, 0)\n",
        ("u", "w"),
        "the loss, print 0 (line 3), is 2x1 and not 1x1; sum it, as in "
        "print col_sum(row_sum(x)); "
        "permute (line 3) is not differentiated: permute reorders the axes of values of any rank",
        unused_is_zero=True,
    ),
)
"""The same where zeros are asked for: then `u` has a gradient."""


@on_its_own("refused-requests", 5, "What cannot be asked for is refused, whole", item="refusals")
def check(setting: Setting) -> Finding:
    """Provoke every refusal of a request, and compare the line."""
    return _compared(setting, REQUESTS)


@on_its_own("refused-whole", 5, "Several causes are told, each and no other", item="refusals")
def check_several(setting: Setting) -> Finding:
    """Provoke several causes at once, and compare the line."""
    return _compared(setting, SEVERAL)


@on_its_own("refused-beside-zeros", 5, "Asking for zeros hides no cause", item="refusals")
def check_zeros(setting: Setting) -> Finding:
    """Provoke several causes at once where zeros are asked for, and compare the line."""
    return _compared(setting, ZEROS)


def _compared(setting: Setting, requests: Iterable[Request]) -> Finding:
    comparison = Comparison(0.0, REASON)
    for each in requests:
        answer = setting.subject.gradient(
            each.source, each.wrt, each.loss, unused_is_zero=each.unused_is_zero
        )
        compare_refusal(comparison, each.name, answer, f"program.mg: error: {each.causes}")
    return comparison.finding()

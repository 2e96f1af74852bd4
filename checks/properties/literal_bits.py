"""Every bit of a number survives: in matrices, scalars, directions and learning rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from checks.check import on_its_own
from checks.comparison import Comparison
from checks.writing import printed
from mgc.literals import Literal

if TYPE_CHECKING:
    from checks.check import Setting
    from checks.verdict import Finding

REASON = "a number is multiplied by 1 at most, which changes no bit"

NUMBERS = (
    *(-0.0, 0.0, 5e-324, -5e-324, 1.7976931348623157e308, 2.2250738585072014e-308),
    *(0.1, 0.30000000000000004, 1 / 3, -123456789.12345679, 1e-05, 1e22, 9007199254740993.0),
)
HARD = (-0.0, 5e-324, 1.7976931348623157e308, -123456789.12345679)
ROW = f"[[{', '.join(map(repr, NUMBERS))}]]"
ONES = f"[[{', '.join('1' for _ in NUMBERS)}]]"


@on_its_own("literal-bits", 7, "Every number is written with all its bits", item="structure")
def check(setting: Setting) -> Finding:
    """Compare gradients, slopes and parameters that are numbers of the source, bit by bit."""
    comparison = Comparison(0.0, REASON)
    subject = setting.subject
    row = np.array([NUMBERS])
    ones = np.ones_like(row)

    for write, how in ((subject.gradient, ""), (subject.optimized, ", -O")):
        source = f"let a = {ONES}\nlet b = {ROW}\nprint row_sum(a * b)\n"
        found = printed(write(source, ("a", "b")))
        comparison.bits(f"gradient that is a literal{how}", found[1], row)
        comparison.bits(f"gradient of that literal{how}", found[2], ones)

        # Equal as numbers, and two literals all the same.
        source = "let a = [[1, 1]]\nlet c = [[1, 1]]\n"
        source += "print row_sum(a * [[0.0, 1]]) + row_sum(c * [[-0.0, 1]])\n"
        found = printed(write(source, ("a", "c")))
        comparison.bits(f"gradient that is 0{how}", found[1], np.array([[0.0, 1.0]]))
        comparison.bits(f"gradient that is -0{how}", found[2], np.array([[-0.0, 1.0]]))

        lets = "".join(f"let a{at} = [[1]]\n" for at, _ in enumerate(NUMBERS))
        terms = " + ".join(f"a{at} * {number!r}" for at, number in enumerate(NUMBERS))
        names = tuple(f"a{at}" for at, _ in enumerate(NUMBERS))
        found = printed(write(f"{lets}print {terms}\n", names))
        for gradient, number in zip(found[1:], NUMBERS, strict=True):
            comparison.bits(f"gradient that is a scalar{how}", gradient, np.array([[number]]))

    for number in HARD:
        literal = Literal((1, 1), (number,))
        found = printed(subject.directional("let a = [[1]]\nprint a\n", ("a",), [literal]))
        comparison.bits("slope that is a direction", found[1], np.array([[number]]))
        rate = abs(number)
        source = "let a = [[0]]\nprint a\n"
        if rate > 0.0:
            found = printed(subject.descent(source, ("a",), 1, rate, prints_parameters=True))
            comparison.bits("parameter that is a rate", found[-1], np.array([[-rate]]))
    return comparison.finding()

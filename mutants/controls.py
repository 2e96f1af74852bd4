"""Changes that must not matter, and changes that must not go unnoticed.

A check that complains about a harmless copy complains about how autograd is written, and one
that passes a control does not look at the copy at all.
"""

from __future__ import annotations

from mutants.spec import Mutant

HARMLESS = (
    Mutant(
        "h01-mul-commuted", "mul: the factors are the other way round", "harmless",
        "rules.py", "rule:mul(ct, x, y)", "ct * y, ct * x", "y * ct, x * ct",
    ),
    Mutant(
        "h02-sum-commuted", "a contribution comes before what it is added to", "harmless",
        "reverse.py", "backward(steps, loss, wrt)",
        "adjoint + contribution", "contribution + adjoint",
    ),
    Mutant(
        "h03-div-sign-moved", "div: the sign is at the numerator's other factor", "harmless",
        "rules.py", "rule:div(ct, x, y)", "-(ct * x) / _B", "ct * -x / _B",
    ),
    Mutant(
        "h04-local-renamed", "row_max: the mask has another name", "harmless",
        "rules.py", "rule:row_max(ct, x, out)",
        "mask = ge(x, out)\nreturn mask * (ct / row_sum(mask))",
        "attaining = ge(x, out)\nreturn attaining * (ct / row_sum(attaining))",
    ),
    Mutant(
        "h05-comment-added", "matmul: a comment says why", "harmless",
        "rules.py", "rule:matmul(ct, x, y)",
        "return ct @ transpose(y), transpose(x) @ ct",
        "# Nothing else has the right shapes.\nreturn ct @ transpose(y), transpose(x) @ ct",
    ),
    Mutant(
        "h06-rules-reordered", "the rules of neg and exp are the other way round", "harmless",
        "rules.py", "module",
        "@vjp(ops.NEG)\ndef _Neg(): ...\n@vjp(ops.EXP)\ndef _Exp(): ...", "_Exp\n\n\n_Neg",
    ),
    Mutant(
        "h07-docstring-changed", "add: the docstring says it in words", "harmless",
        "rules.py", "rule:add(ct)", '"""out = x + y."""', '"""Both summands move the sum."""',
    ),
)  # fmt: skip
"""Copies that behave as the original does."""

CONTROLS = (
    Mutant(
        "c01-import-fails", "the package cannot be imported", "control",
        "rules.py", "module",
        '__all__ = ["VJPS"]', 'raise RuntimeError("this copy cannot be imported")',
    ),
    Mutant(
        "c02-rule-asserts", "neg: the rule asserts what is false", "control",
        "rules.py", "rule:neg(ct)",
        "return -ct", 'assert ct is None, "this rule always fails"\nreturn -ct',
    ),
)  # fmt: skip
"""Copies that every check, or every check that reaches the rule, must catch."""

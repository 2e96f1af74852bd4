"""The wrong versions of autograd that somebody thought of: mistakes that people make."""

from __future__ import annotations

from mutants.controls import CONTROLS, HARMLESS
from mutants.drivers import DRIVER
from mutants.optimizer import OPTIMIZER
from mutants.spec import Mutant


def _reverse(name: str, title: str, scope: str, pattern: str, replacement: str) -> Mutant:
    """Return a mutant of a reverse-mode rule."""
    return Mutant(name, title, "hand", "rules.py", f"rule:{scope}", pattern, replacement)


def _forward(name: str, title: str, scope: str, pattern: str, replacement: str) -> Mutant:
    """Return a mutant of a forward-mode rule."""
    return Mutant(name, title, "hand", "forward_rules.py", f"jvp:{scope}", pattern, replacement)


REVERSE = (
    _reverse(
        "m01-mul-own-value", "mul: each operand's gradient uses its own value",
        "mul(ct, x, y)", "ct * y, ct * x", "ct * x, ct * y",
    ),
    _reverse(
        "m02-sub-sign", "sub: the second operand's gradient has the wrong sign",
        "sub(ct)", "ct, -ct", "ct, ct",
    ),
    _reverse(
        "m03-div-sign", "div: the denominator's gradient has the wrong sign",
        "div(ct, x, y)", "-(ct * x)", "ct * x",
    ),
    _reverse(
        "m04-div-not-squared", "div: the denominator's gradient divides by y, not by y squared",
        "div(ct, x, y)", "y * y", "y",
    ),
    _reverse(
        "m05-scalar-sub-sign", "k - x: the gradient has the wrong sign",
        "scalar_sub(ct)", "-ct", "ct",
    ),
    _reverse(
        "m06-scalar-div-sign", "k / x: the gradient has the wrong sign",
        "scalar_div(ct, x, value)", "-(ct * value)", "ct * value",
    ),
    _reverse(
        "m07-mul-scalar-ignored", "x * k: the gradient ignores k",
        "mul_scalar(ct, value)", "ct * value", "ct",
    ),
    _reverse("m08-neg-sign", "neg: the gradient has the wrong sign", "neg(ct)", "-ct", "ct"),
    _reverse(
        "m09-matmul-left", "matmul: the left gradient lacks the transpose of the right operand",
        "matmul(ct, x, y)", "ct @ transpose(y)", "ct @ y",
    ),
    _reverse(
        "m10-matmul-right", "matmul: the right gradient has its factors the wrong way round",
        "matmul(ct, x, y)", "transpose(x) @ ct", "ct @ transpose(x)",
    ),
    _reverse(
        "m11-transpose-kept", "transpose: the gradient is not transposed back",
        "transpose(ct)", "transpose(ct)", "ct",
    ),
    _reverse(
        "m12-reshape-kept", "reshape: the gradient is not reshaped back",
        "reshape(ct, x)", "reshape_like(ct, x)", "ct",
    ),
    _reverse(
        "m13-exp-input", "exp: the gradient uses the input, not the result",
        "exp(ct, out)", "ct * out", "ct * x",
    ),
    _reverse(
        "m14-log-multiplies", "log: the gradient multiplies by the operand",
        "log(ct, x)", "ct / x", "ct * x",
    ),
    _reverse(
        "m15-sqrt-no-two", "sqrt: the gradient lacks the 2",
        "sqrt(ct, out)", "out * 2.0", "out",
    ),
    _reverse(
        "m16-relu-no-mask", "relu: the gradient has no mask",
        "relu(ct, x)", "ct * ge(x, zero())", "ct",
    ),
    _reverse(
        "m17-row-sum-not-spread", "row_sum: the gradient is not spread over the row",
        "row_sum(ct, x)", "ones_like(x) * ct", "ct",
    ),
    _reverse(
        "m18-row-max-ties", "row_max: tied entries each get the whole gradient",
        "row_max(ct, x, out)", "mask * (ct / row_sum(mask))", "mask * ct",
    ),
    # m19 is one of the driver
    _reverse(
        "m20-stretched-column-axis", "a stretched column's gradient is summed over the wrong axis",
        "broadcast(ct, x)", "row_sum(summed)", "col_sum(summed)",
    ),
    # and so are m21 to m25
    _reverse(
        "m26-ge-flows", "a gradient flows through a comparison",
        "ge", "declare(VJPS, ops.GE, Zero(_Reason))",
        '@vjp(ops.GE)\ndef d_ge(ct: Value) -> Cotangents:\n'
        '    """out = x >= y."""\n    return ct, -ct',
    ),
    _reverse(
        "m27-relu-mask-of-result", "relu: the mask is taken of the result, so it is always 1",
        "relu(ct, x)", "ge(x, zero())", "ge(out, zero())",
    ),
    _reverse(
        "m28-row-max-mask-swapped", "row_max: the mask says that the maximum is the larger",
        "row_max(ct, x, out)", "ge(x, out)", "ge(out, x)",
    ),
    _reverse(
        "m29-sub-both-to-first", "sub: both contributions go to the first operand",
        "sub(ct)", "ct, -ct", "ct - ct, ct * 0.0",
    ),
    # m30 to m32 are of the driver again
    _reverse(
        "m33-col-sum-not-spread", "col_sum: the gradient is not spread over the column",
        "col_sum(ct, x)", "ones_like(x) * ct", "ct",
    ),
    _reverse(
        "m34-col-max-ties", "col_max: tied entries each get the whole gradient",
        "col_max(ct, x, out)", "mask * (ct / col_sum(mask))", "mask * ct",
    ),
    _reverse(
        "m35-col-max-mask-swapped", "col_max: the mask says that the maximum is the larger",
        "col_max(ct, x, out)", "ge(x, out)", "ge(out, x)",
    ),
    _reverse(
        "m36-stretched-row-axis", "a stretched row's gradient is summed over the wrong axis",
        "broadcast(ct, x)", "col_sum(ct)", "row_sum(ct)",
    ),
    _reverse(
        "m37-stretched-one-way", "what is stretched both ways has its gradient summed one way",
        "broadcast(ct, x)", "row_sum(summed) if over_columns else summed",
        "row_sum(ct) if over_columns else summed",
    ),
    _reverse(
        "m38-relu-zero-at-zero", "relu: the derivative at exactly 0 is 0",
        "relu(ct, x)", "ct * ge(x, zero())", "ct - ct * ge(zero(), x)",
    ),
    # m39 to m54 are of the driver, too
    _reverse(
        "m55-permute-flat", "permute: what it passes on is taken to be flat, and not refused",
        "permute", "declare(VJPS, ops.PERMUTE, Refused(_Reason))",
        "declare(VJPS, ops.PERMUTE, Zero(_Reason))",
    ),
)  # fmt: skip
"""Those of the reverse-mode rules."""

FORWARD = (
    _forward(
        "f01-mul-own-tangent", "forward mul: each tangent is multiplied by its own operand",
        "mul(tx, ty, x, y)", "tx * y, x * ty", "tx * x, y * ty",
    ),
    _forward(
        "f02-sub-sign", "forward sub: the second operand's tangent has the wrong sign",
        "sub(tx, ty)", "tx, -ty", "tx, ty",
    ),
    _forward(
        "f03-div-sign", "forward div: the denominator's tangent has the wrong sign",
        "div(tx, ty, y, out)", "-(out * ty)", "out * ty",
    ),
    _forward(
        "f04-matmul-right", "forward matmul: the second product has its factors swapped",
        "matmul(tx, ty, x, y)", "x @ ty", "ty @ x",
    ),
    _forward(
        "f05-exp-input", "forward exp: the tangent is multiplied by the input",
        "exp(tx, out)", "tx * out", "tx * x",
    ),
    _forward(
        "f06-sqrt-no-half", "forward sqrt: the tangent lacks the one half",
        "sqrt(tx, out)", "tx * 0.5", "tx",
    ),
    _forward(
        "f07-relu-no-mask", "forward relu: the tangent has no mask",
        "relu(tx, x)", "tx * ge(x, zero())", "tx",
    ),
    _forward(
        "f08-scalar-div-sign", "forward k / x: the tangent has the wrong sign",
        "scalar_div(tx, x, out)", "-(out * tx)", "out * tx",
    ),
    _forward(
        "f09-transpose-kept", "forward transpose: the tangent is not transposed",
        "transpose(tx)", "transpose(tx)", "tx",
    ),
    _forward(
        "f10-row-max-ties-added", "forward row_max: the tangents of tied entries are added up",
        "row_max(tx, x, out)", "row_sum(mask * tx) / row_sum(mask)", "row_sum(mask * tx)",
    ),
    _forward(
        "f11-ge-flows", "forward: a tangent flows through a comparison",
        "ge", "declare(JVPS, ops.GE, Zero(_Reason))",
        '@jvp(ops.GE)\ndef t_ge(tx: Value, ty: Value) -> Contributions:\n'
        '    """out = x >= y."""\n    return tx, -ty',
    ),
)  # fmt: skip
"""Those of the forward-mode rules."""


def _number(mutant: Mutant) -> tuple[int, str]:
    """Order reverse mode before forward mode before -O, and in each by the number."""
    return "mfo".index(mutant.id[0]), mutant.id


WRONG = tuple(sorted((*REVERSE, *DRIVER, *FORWARD, *OPTIMIZER), key=_number))
"""The wrong versions, in the order of their numbers."""

MUTANTS = (*WRONG, *HARMLESS, *CONTROLS)
"""Every mutant that is written by hand, but for those that are right and slow."""

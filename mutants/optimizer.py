"""Wrong versions of -O: of its sharing, its algebra, its shortcuts, its order and its descent."""

from __future__ import annotations

from mutants.spec import Mutant


def _wrong(  # noqa: PLR0913, PLR0917 - a row of the tables below
    name: str, title: str, file: str, scope: str, pattern: str, replacement: str
) -> Mutant:
    """Return a mutant of a module of -O."""
    return Mutant(name, title, "hand", f"optimize/{file}", scope, pattern, replacement)


SHARING = (
    _wrong(
        "o01-zeros-shared", "0.0 and -0.0 are shared as if they were equal",
        "graph.py", "_key(op, operands, attributes)",
        "literal.bits", "literal.elements",
    ),
    _wrong(
        "o02-shapes-shared", "literals of equal entries are shared whatever their shapes",
        "graph.py", "_key(op, operands, attributes)",
        "(op, literal.shape, _Entries)", "(op, _Entries)",
    ),
    _wrong(
        "o03-attributes-shared", "operations are shared whatever their number",
        "graph.py", "_key(op, operands, attributes)",
        "(op, operands, spelled)", "(op, operands, len(spelled))",
    ),
    _wrong(
        "o04-parameters-shared", "requested matrices with equal entries are one",
        "passes.py", "_with_parameters(problem)",
        '{"shape": matrix.shape, "name": name}',
        '{"shape": matrix.shape, "name": next(each for each, other in problem.matrices.items() '
        "if other.attributes == matrix.attributes)}",
    ),
)  # fmt: skip
"""What is computed twice is computed once."""

ALGEBRA = (
    _wrong(
        "o05-minus-minus", "x - (-y) is taken to be x - y",
        "algebra.py", "_minus_a_negation(build, value)",
        "build.make(ops.ADD, x, y.operands[0])", "build.make(ops.SUB, x, y.operands[0])",
    ),
    _wrong(
        "o06-two-signs", "(-x) * (-y) keeps a sign",
        "algebra.py", "_negation_outwards(build, value)",
        "positive if signs > 1 else build.make(ops.NEG, positive)",
        "build.make(ops.NEG, positive)",
    ),
    _wrong(
        "o07-twice-is-once", "a transpose of a transpose, or a negation of one, counts once",
        "algebra.py", "_twice(op)",
        "x.operands[0] if x.op is op else None", "x if x.op is op else None",
    ),
    _wrong(
        "o08-transposed-same-order", "(x @ y)' is taken to be x' @ y'",
        "algebra.py", "_transposed_product(build, value)",
        "build.make(ops.MATMUL, left, right)", "build.make(ops.MATMUL, right, left)",
    ),
    _wrong(
        "o09-transposed-from-same-order", "x' @ y' is taken to be (x @ y)'",
        "algebra.py", "_product_transposed(build, value)",
        "build.make(ops.MATMUL, left, right)", "build.make(ops.MATMUL, right, left)",
    ),
    _wrong(
        "o10-any-number-is-one", "a matrix of one number counts as ones, whatever the number",
        "algebra.py", "_ones_times(build, value)",
        "_uniform(core(one)) == 1.0", "_uniform(core(one)) is not None",
    ),
    _wrong(
        "o11-sign-of-number-lost", "-(x * k) is taken to be x * k",
        "algebra.py", "_negative_number(build, value)",
        '-x.attributes["value"]', 'x.attributes["value"]',
    ),
    _wrong(
        "o12-number-operand-turned", "k - x is written as x - k",
        "algebra.py", "_number_operand(build, value)",
        "(x, number(y), right), (y, number(x), left)",
        "(x, number(y), right), (y, number(x), right)",
    ),
)  # fmt: skip
"""What cancels without rounding."""

REGROUPING = (
    _wrong(
        "o13-factors-added", "(x * j) * k is taken to be x * (j + k)",
        "regrouping.py", "_numbers_merged(build, value)",
        'x.attributes["value"] * k', 'x.attributes["value"] + k',
    ),
    _wrong(
        "o14-divided-factors", "(x * j) / k is taken to be x * (j * k)",
        "regrouping.py", "_divided_numbers_merged(build, value)",
        'x.attributes["value"] / k', 'x.attributes["value"] * k',
    ),
    _wrong(
        "o15-same-term-doubled", "k x + x is taken to be 2 k x",
        "regrouping.py", "_same_term_again(build, value)",
        'x.attributes["value"] + 1.0', 'x.attributes["value"] * 2.0',
    ),
    _wrong(
        "o16-denominator-inside", "y / (x * k) is taken to be (y / x) * k",
        "regrouping.py", "_number_out_of_pair(build, value)", "k = 1.0 / k", "k = k / 1.0",
    ),
    _wrong(
        "o17-quotient-undivided", "(g * x) / (y * y) is taken to be g * (x / y)",
        "regrouping.py", "_reused_quotient(build, value)",
        "build.make(ops.MUL, build.make(ops.DIV, g, y), quotient)",
        "build.make(ops.MUL, g, quotient)",
    ),
    _wrong(
        "o18-other-axis-counted", "the sum of equal entries counts those of the other axis",
        "regrouping.py", "_sum_of_stretched(build, value)",
        "static(x.shape)[axis]", "static(x.shape)[1 - axis]",
    ),
    _wrong(
        "o19-number-added-lost", "(x + k) + y is taken to be x + y",
        "regrouping.py", "_number_added_last(build, value)",
        'build.make(ops.ADD_SCALAR, total, value=x.attributes["value"])', "total",
    ),
    _wrong(
        "o20-sign-left-in-product", "(-x) @ y is taken to be x @ y",
        "regrouping.py", "_number_out_of_product(build, value)",
        "build.make(operand.op, build.make(ops.MATMUL, *operands), **operand.attributes)",
        "build.make(ops.MATMUL, *operands)",
    ),
    _wrong(
        "o21-product-order", "(x @ y) @ z is regrouped as x @ (z @ y)",
        "products.py", "_reordered(build, value)",
        "build.make(ops.MATMUL, x, build.make(ops.MATMUL, y, z))",
        "build.make(ops.MATMUL, x, build.make(ops.MATMUL, z, y))",
    ),
    _wrong(
        "o22-product-order-right", "x @ (y @ z) is regrouped as (y @ x) @ z",
        "products.py", "_reordered(build, value)",
        "build.make(ops.MATMUL, build.make(ops.MATMUL, x, y), z)",
        "build.make(ops.MATMUL, build.make(ops.MATMUL, y, x), z)",
    ),
)  # fmt: skip
"""What is regrouped, as on paper."""

SHORTCUTS = (
    _wrong(
        "o23-softmax-one-term", "the adjoint of a softmax lacks its second term",
        "softmax.py", "_softmax(value)",
        "value * (ct - apply(total_op, ct * value))", "value * ct",
    ),
    _wrong(
        "o24-log-softmax-one-term", "the adjoint of a log-softmax lacks its second term",
        "softmax.py", "_log_softmax(value)",
        "ct - exponential * (apply(total_op, ct) / total)", "ct",
    ),
    _wrong(
        "o25-log-of-softmax-sum", "the adjoint of the log of a softmax sums what it scales",
        "softmax.py", "_log_of_softmax(value, found)",
        "softmax * apply(total.op, ct)", "apply(total.op, ct * softmax)",
    ),
    _wrong(
        "o26-another-total", "a quotient by the sum of another exponential counts as a softmax",
        "softmax.py", "_total_of(exponential, total)",
        "total.operands[0] is exponential", "total.operands[0].op is exponential.op",
    ),
    _wrong(
        "o27-any-shift", "what is subtracted in a softmax need not be one number along its axis",
        "softmax.py", "_shortcut(t, total, pass_back, name)", "shift.shape[axis] == 1", "True",
    ),
    Mutant(
        "o28-maximum-elsewhere", "the maximum in a softmax passes nothing back wherever it is used",
        "hand", "reverse.py", "backward(steps, loss, wrt, shortcuts)",
        "not contributions or value not in active",
        "not contributions or value not in active or "
        '(len(shortcuts) > 0 and value.op.name in ("row_max", "col_max"))',
    ),
    Mutant(
        "o29-exponential-elsewhere",
        "the exponential in a softmax passes nothing back wherever it is used",
        "hand", "reverse.py", "backward(steps, loss, wrt, shortcuts)",
        "not contributions or value not in active",
        "not contributions or value not in active or "
        'any(value.op.name == "exp" and value in each.operands for each in shortcuts)',
    ),
)  # fmt: skip
"""Softmax and log-softmax, differentiated in one step."""

ORDER = (
    _wrong(
        "o30-statement-dropped", "the order leaves out a value after its first third",
        "schedule.py", "scheduled(order, roots)",
        "min(candidates, key=_Key)",
        "[each for place, each in enumerate(min(candidates, key=_Key)) "
        "if each in roots or place != len(needed) // 3]",
    ),
    _wrong(
        "o32-names-twice", "a name may be given to two values",
        "write.py", "_names(problem, optimized)",
        "value not in names and name not in taken", "value not in names",
    ),
    _wrong(
        "o33-hoisted-for-one", "what only the second matrix moves is computed before all steps",
        "descend.py", "optimized_descent(problem, optimized, title, descent)",
        "moving_apart(optimized.order, slopes)", "moving_apart(optimized.order, list(slopes)[:1])",
    ),
    _wrong(
        "o34-first-gradient-kept", "every step goes along the gradient of the first",
        "descend.py", "optimized_descent(problem, optimized, title, descent)",
        "renewed(forward if last else moving, parameters)",
        "renewed(forward if last else moving, parameters if number == 0 or last else "
        "{matrix: parameters[matrix] if matrix is optimized.loss else matrix "
        "for matrix in parameters})",
    ),
    _wrong(
        "o35-rate-missing", "with -O descent ignores the learning rate",
        "descend.py", "optimized_descent(problem, optimized, title, descent)",
        "gradient * descent.rate", "gradient",
    ),
    _wrong(
        "o31-parameter-kept", "a gradient that is a matrix itself stays what it was at the start",
        "descend.py", "optimized_descent(problem, optimized, title, descent)",
        "values.get(each, parameters.get(each, each))", "values.get(each, each)",
    ),
)  # fmt: skip
"""The order of the statements, their names, and descent."""

OPTIMIZER = (*SHARING, *ALGEBRA, *REGROUPING, *SHORTCUTS, *ORDER)
"""All of them, in the order of their numbers."""

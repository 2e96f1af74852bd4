"""Wrong versions of what surrounds the rules: the driver, the writer, the reader of programs."""

from __future__ import annotations

from mutants.spec import Mutant

DRIVER = (
    Mutant(
        "m19-contribution-replaces", "a second contribution replaces the first", "hand",
        "reverse.py", "backward(steps, loss, wrt)",
        "received.setdefault(operand, []).append(cotangent)", "received[operand] = [cotangent]",
    ),
    Mutant(
        "m21-constants-by-value", "the matrix of a let is found by its value", "hand",
        "problem.py", "_chosen_matrices(names, bindings, line, causes)",
        "chosen[name] = line.constants[binding.constant]",
        'literal = line.constants[binding.constant].attributes["literal"]\n'
        'equal = [each for each in line.constants if each.attributes["literal"] == literal]\n'
        "chosen[name] = equal[0]",
    ),
    Mutant(
        "m22-descent-adds", "descent adds the gradient", "hand",
        "descend.py", "_stepped(writer, steps, loss, parameters, rate)",
        "parameter - reverse.adjoints[parameter] * rate",
        "parameter + reverse.adjoints[parameter] * rate",
    ),
    Mutant(
        "m23-descent-no-rate", "descent ignores the learning rate", "hand",
        "descend.py", "_stepped(writer, steps, loss, parameters, rate)",
        "reverse.adjoints[parameter] * rate", "reverse.adjoints[parameter]",
    ),
    Mutant(
        "m24-descent-no-update", "descent never updates the matrices", "hand",
        "descend.py", "descent_program(problem, title, descent)",
        "parameters |= _stepped(_A, _B, _C, _D, _E)", "_stepped(_A, _B, _C, _D, _E)",
    ),
    Mutant(
        "m25-seed-two", "the adjoint of the loss is 2", "hand",
        "reverse.py", "backward(steps, loss, wrt)", "full((1, 1), 1.0)", "full((1, 1), 2.0)",
    ),
    Mutant(
        "m30-six-digits", "literals are written with six digits", "hand",
        "emit.py", "Writer._attribute(self, kind, value)", "source_matrix(value, self._number)",
        'source_matrix(value, lambda element: repr(float(f"{element:.6g}")))',
    ),
    Mutant(
        "m31-first-let", "the first let of a name counts, not the last", "hand",
        "names.py", "let_bindings(source)",
        "bindings[statement.name] = LetBinding(_Span, constant)",
        "bindings.setdefault(statement.name, LetBinding(_Span, constant))",
    ),
    Mutant(
        "m32-first-print", "the first print is the loss, whichever is asked for", "hand",
        "problem.py", "_chosen_loss(line, number)", "line.prints[number]", "line.prints[0]",
    ),
    Mutant(
        "m39-third-contribution-lost", "a third contribution to an adjoint is lost", "hand",
        "reverse.py", "backward(steps, loss, wrt)", "contributions[1:]", "contributions[1:2]",
    ),
    Mutant(
        "m40-value-added", "the value is added to its adjoint, not the contribution", "hand",
        "reverse.py", "backward(steps, loss, wrt)", "adjoint + contribution", "adjoint + value",
    ),
    Mutant(
        "m41-operands-exchanged", "each operand receives what is meant for the other", "hand",
        "reverse.py", "_passed_back(value, adjoint, shortcut)",
        "zip(value.operands, rule(available), strict=True)",
        "zip(value.operands, reversed(rule(available)), strict=True)",
    ),
    Mutant(
        "m42-number-six-digits", "numbers of scalar operations are written with six digits", "hand",
        "emit.py", "Writer._attribute(self, kind, value)", "self._number(value)",
        'repr(float(f"{value:.6g}"))',
    ),
    Mutant(
        "m43-negative-zero-lost", "a negative zero is written as zero", "hand",
        "emit.py", "Writer._attribute(self, kind, value)", "source_matrix(value, self._number)",
        "source_matrix(value, lambda element: self._number(element + 0.0))",
    ),
    Mutant(
        "m44-stretched-value-small", "a value is written without what stretches it", "hand",
        "emit.py", "Writer.let(self, value, prefix)",
        "if shape != value.shape:\n    text = _Text", "",
    ),
    Mutant(
        "m45-names-collide", "a fresh name may be one of the program's own", "hand",
        "emit.py", "Writer.__init__(self, kept)", "set(kept.values())", "set()",
    ),
    Mutant(
        "m46-print-literals-uncounted", "literals outside of lets are not counted", "hand",
        "names.py", "let_bindings(source)",
        "if isinstance(statement, Let):\n    _First\n    _Second\nliterals += count",
        "if isinstance(statement, Let):\n    _First\n    _Second\n    literals += count",
    ),
    Mutant(
        "m47-gradients-reversed", "the gradients are printed in the reverse of the order", "hand",
        "transform.py", "gradient_program(problem, title)",
        "problem.matrices.values()", "reversed(problem.matrices.values())",
    ),
    Mutant(
        "m48-unused-ones", "a matrix that the loss does not depend on gets a gradient of ones",
        "hand", "transform.py", "gradient_program(problem, title)",
        "full(static(matrix.shape), 0.0)", "full(static(matrix.shape), 1.0)",
    ),
    Mutant(
        "m49-descent-reversed", "descent takes the matrix from the step, not the step from it",
        "hand", "descend.py", "_stepped(writer, steps, loss, parameters, rate)",
        "parameter - reverse.adjoints[parameter] * rate",
        "reverse.adjoints[parameter] * rate - parameter",
    ),
    Mutant(
        "m50-descent-first-only", "descent updates the first matrix only", "hand",
        "descend.py", "_stepped(writer, steps, loss, parameters, rate)",
        "for matrix, parameter in parameters.items():\n    _First\n    _Second",
        "for matrix, parameter in list(parameters.items())[:1]:\n    _First\n    _Second",
    ),
    Mutant(
        "m51-descent-short", "descent stops before the last loss is printed", "hand",
        "descend.py", "descent_program(problem, title, descent)",
        "range(descent.steps + 1)", "range(descent.steps)",
    ),
    Mutant(
        "m52-descent-from-start", "descent takes every step from where it began", "hand",
        "descend.py", "_stepped(writer, steps, loss, parameters, rate)",
        "parameter - reverse.adjoints[parameter] * rate",
        "matrix - reverse.adjoints[parameter] * rate",
    ),
    Mutant(
        "m53-descent-rate-squared", "descent applies the learning rate twice", "hand",
        "descend.py", "_stepped(writer, steps, loss, parameters, rate)",
        "reverse.adjoints[parameter] * rate", "reverse.adjoints[parameter] * rate * rate",
    ),
    Mutant(
        "m54-arguments-reversed", "a call receives the arguments in the reverse of the order",
        "hand", "flatten.py", "_entered(module, call, caller)",
        "zip(callee.parameters, arguments, strict=True)",
        "zip(callee.parameters, reversed(arguments), strict=True)",
    ),
    Mutant(
        "m56-first-operation-only", "of the operations in the way only the first is told", "hand",
        "problem.py", "pose(line, bindings, request)", "dict.fromkeys(blocked)", "blocked[:1]",
    ),
    Mutant(
        "m57-other-ranks", "gradients pass through values that are no matrices", "hand",
        "problem.py", "_step_causes(step)", "len(step.shape) != MATRIX_RANK", "False",
    ),
    Mutant(
        "m58-ir-fault-in-source", "a fault of the IR text is said to be one of the source", "hand",
        "transform.py", "posed_problem(program, request)",
        "program.ir_name", "program.file",
    ),
    Mutant(
        "m59-passed-on-singly", "a sum passes each contribution on by itself, and not their sum",
        "hand", "reverse.py", "backward(steps, loss, wrt)",
        "_passed_back(value, adjoint, shortcuts.get(value))",
        "[pair for each in (contributions if value.op.name == 'add' else [adjoint]) "
        "for pair in _passed_back(value, each, shortcuts.get(value))]",
    ),
    Mutant(
        "m60-literals-from-one", "the k-th literal is taken for the k+1-th", "hand",
        "names.py", "let_bindings(source)", "literals = 0", "literals = 1",
    ),
    Mutant(
        "m61-equal-literals-exchanged", "of equal literals the first has the name of the last",
        "hand", "problem.py", "_chosen_matrices(names, bindings, line, causes)",
        "chosen[name] = line.constants[binding.constant]",
        "own = line.constants[binding.constant]\n"
        "equal = [each for each in line.constants if each.attributes == own.attributes]\n"
        "chosen[name] = equal[-1 - equal.index(own)]",
    ),
    Mutant(
        "m62-line-of-the-next", "an operation is said to stand where the next one does", "hand",
        "provenance.py", "_paired(function, elaborated)",
        "zip(function.body, elaborated.body, strict=True)",
        "zip(function.body, [*elaborated.body[1:], elaborated.body[-1]], strict=True)",
    ),
    Mutant(
        "m63-main-alone-placed", "what a def does is said to be at no line", "hand",
        "provenance.py", "source_spans(module, source)",
        "spans |= _paired(function, elaborated.functions[name])", "",
    ),
    Mutant(
        "m64-cast-dropped", "what is handed on with an unknown size is taken for the first value",
        "hand", "flatten.py", "_step(statement, span, frame, line, literals)",
        "frame.values[statement.result] = frame.values[statement.operand]",
        "frame.values[statement.result] = line.steps[0]",
    ),
    Mutant(
        "m65-flat-is-unused", "a loss that is flat in a matrix is said not to depend on it", "hand",
        "problem.py", "pose(line, bindings, request)",
        "matrix not in needed", "matrix not in moving",
    ),
    Mutant(
        "m66-print-past-the-last", "the print after the last one is taken for the last", "hand",
        "problem.py", "_chosen_loss(line, number)",
        "count = len(line.prints)",
        "count = len(line.prints)\nnumber = min(number, count - 1)",
    ),
    Mutant(
        "m67-unused-is-stepped", "descent makes the loss of a matrix that the loss lacks",
        "hand", "descend.py", "descent_program(problem, title, descent)",
        "parameters |= _stepped(_A, _B, _C, _D, _E)",
        "parameters |= _stepped(_A, _B, _C, _D, _E)\n"
        "parameters |= {problem.matrices[name]: loss for name in problem.unused}",
    ),
    Mutant(
        "m68-other-literals", "the literals of another compiler's IR are taken as they are", "hand",
        "transform.py", "posed_problem(program, request)", "_check_literals(_A, _B, _C)", "",
    ),
    Mutant(
        "f12-tangent-replaces", "forward: the second operand's tangent replaces the first's",
        "hand", "forward.py", "_advance(writer, value, tangents)",
        "tangent + contribution", "contribution",
    ),
    Mutant(
        "f13-directions-reversed", "forward: the directions are given in the reverse of the order",
        "hand", "forward.py", "directional_program(problem, title, directions)",
        "zip(problem.matrices.items(), directions, strict=True)",
        "zip(problem.matrices.items(), reversed(directions), strict=True)",
    ),
    Mutant(
        "f14-first-direction-told", "forward: of directions that do not fit the first is told",
        "hand", "forward.py", "_check(problem, directions)", '"; ".join(causes)', "causes[0]",
    ),
)  # fmt: skip
"""Those of the driver; the numbers continue those of the rules."""

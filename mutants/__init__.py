"""Deliberately wrong versions of `autograd`, and what the checks make of them.

A `Mutant` (`spec`) says what is wrong and where: an AST `pattern` in the `scope` of one function,
and what stands there instead. `hand_written` has those that people make, `operators` those
that the `changes` of one node give everywhere; `equivalents` says which of these change nothing,
and why. `copies` writes each as a complete copy of the package,
with its diff and a manifest. What cannot be applied exactly as specified is a `MutantError`.
"""

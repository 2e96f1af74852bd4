"""Reverse-mode differentiation of Mountain Goat programs, source to source.

A program is read as a compiler's IR text plus its source: `names` finds which literal is which
let, `flatten` makes one straight line of it, `refusal` says what cannot be differentiated,
`reverse` puts the adjoints together by the `rules`, and `emit` writes the new program;
`transform` is that chain. `forward`, `descend` and `compare` write or check something else from
the same parts, and `optimize` writes the gradient as an expert would. `expression` holds the
values that all of them work on, `rule_table` what a rule may be. The package imports mgc and no
other folder of the project.
"""

"""What programs cost: let statements, source bytes, and the instructions that they execute.

A program is measured in `variants`: as its author wrote it, as autograd writes its gradient, and
its loss alone. `count` builds each with the bundled compiler and counts by `valgrind`; `floor`
counts operations instead, which needs no machine. `limits` are what no change may make worse.

Imports mgc and autograd only.
"""

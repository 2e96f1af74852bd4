"""The evidence that the generated gradients are right: one property in a file, and its verdicts.

`catalogue` lists the checks; a check is a file of `properties` and says in its title what must
hold. `reference` differentiates programs without a single derivative rule, by the complex step
and by finite differences. `subject` loads the autograd that is checked, this repository's or any
other, and shows of it only what it writes. `python -m checks` runs everything.

May import mgc, ground_truth and, through `subject` alone, autograd.
"""

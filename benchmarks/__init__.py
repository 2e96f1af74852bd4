"""What the compiler costs, measured by hand: `python -m benchmarks.front_end` and so on.

Each prints CPU times, or ratios taken in one run, with the machine they were taken on; nothing
here is part of the tests.
"""

# The same below zero, in a matrix.
print [[1,  - 1e999, 2]]

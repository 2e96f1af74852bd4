# The same in a matrix.
print [[1, 2], [3, 1e999]]

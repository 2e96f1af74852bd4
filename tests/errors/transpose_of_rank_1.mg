# A built-in of matrices.
print transpose(reshape([[1, 2]], 2))

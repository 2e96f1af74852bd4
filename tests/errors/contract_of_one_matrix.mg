# Two matrices.
print contract([[1]], (0))

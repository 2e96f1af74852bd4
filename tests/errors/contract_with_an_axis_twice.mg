# Different axes.
print contract([[1, 2]], (0, 0), [[1]], (0, 1))

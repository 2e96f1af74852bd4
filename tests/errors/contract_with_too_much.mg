# Nothing follows the second axes.
print contract([[1]], (0), [[1]], (0), [[1]])

# Paired axes have one size.
print contract([[1, 2]], (1), [[1, 2]], (0))

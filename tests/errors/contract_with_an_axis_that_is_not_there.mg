# Axes count from 0.
print contract([[1, 2]], (2), [[1, 2]], (0))

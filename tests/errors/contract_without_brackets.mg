# Axes stand in brackets.
print contract([[1]], 0, [[1]], 0)

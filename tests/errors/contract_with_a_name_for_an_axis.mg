# Axes are written out.
let i = 0
print contract([[1]], (i), [[1]], (0))

# A scalar where a matrix goes.
print contract([[1]], (0), 2, (0))

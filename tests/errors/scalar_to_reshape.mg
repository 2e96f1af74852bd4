# A scalar where the matrix goes.
print reshape(1, 1, 1)

# There are no empty matrices.
print reshape([[1, 2]], 0, 2)

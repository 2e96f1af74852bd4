# Too few matrices.
print transpose()

# A reshape without sizes.
print reshape([[1, 2]])

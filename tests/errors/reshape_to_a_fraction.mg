# Sizes are whole numbers.
print reshape([[1, 2]], 1, 2.0)

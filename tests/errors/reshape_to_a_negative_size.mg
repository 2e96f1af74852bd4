# Sizes are positive.
print reshape([[1, 2]], 1, -2)

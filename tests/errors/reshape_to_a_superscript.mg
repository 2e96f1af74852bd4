# Digits are ASCII.
print reshape([[1, 2]], ²)

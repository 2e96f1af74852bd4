# ge compares two matrices.
print ge([[1]])

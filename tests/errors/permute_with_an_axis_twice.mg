# Each axis once.
print permute([[1, 2]], 0, 0)

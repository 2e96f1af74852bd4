# Every axis.
print permute([[1, 2]], 0)

# Axes count from 0.
print permute([[1, 2]], 1, 2)

# Both sides of ge are matrices.
print ge([[1]], 0)

# There are no tuples.
print ([[1]], [[2]])

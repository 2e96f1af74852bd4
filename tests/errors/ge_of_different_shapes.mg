# The same in a call.
print ge([[1, 2]], [[1, 2, 3]])

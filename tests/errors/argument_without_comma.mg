# A comma between arguments.
print ge([[1]] [[2]])

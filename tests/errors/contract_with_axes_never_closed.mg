# The bracket around axes.
print contract([[1]], (0, [[1]], (0))

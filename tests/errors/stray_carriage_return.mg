# A line ends in a newline, with or without one.
print [[1]]print [[2]]

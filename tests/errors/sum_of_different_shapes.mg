# Neither size is 1.
print [[1, 2]] + [[1, 2, 3]]

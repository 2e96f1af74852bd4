# Six elements in a shape of eight.
print reshape([[1, 2, 3], [4, 5, 6]], 2, 4)

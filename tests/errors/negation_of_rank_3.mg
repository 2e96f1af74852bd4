# So is the minus.
print -reshape([[1, 2]], 1, 1, 2)

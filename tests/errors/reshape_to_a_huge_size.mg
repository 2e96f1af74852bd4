# A size that no index reaches.
print reshape([[1, 2]], 1234567890123456789)

# Each axis has its partner.
print contract([[1, 2]], (0, 1), [[1, 2]], (0))

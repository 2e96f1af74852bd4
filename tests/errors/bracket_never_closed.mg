# A bracket without its partner.
print ([[1]] + [[2]]

# A bracket that closes nothing.
print ([[1]]))

# An argument too many.
def one() = [[1]]
print one([[2]])

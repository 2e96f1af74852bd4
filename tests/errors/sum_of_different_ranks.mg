# Stretching does not add dimensions.
let a = [[1, 2]]
print a + reshape(a, 2)

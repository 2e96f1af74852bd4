# A scalar in a matrix product.
let a = [[1, 2]]
print 2 @ a

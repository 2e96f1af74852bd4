# A product of matrices.
let a = reshape([[1, 2]], 1, 1, 2)
print a @ a

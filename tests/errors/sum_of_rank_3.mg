# Elementwise is for matrices.
let a = reshape([[1, 2]], 1, 1, 2)
print a * a

# Sizes are written out.
let n = 2
print reshape([[1, 2]], n, 1)

# Too many matrices.
let a = [[1]]
print exp(a, a)

# A value that is used, then changed and used again: a tool kept the last adjoint only.
let x = [[0.5, -1.5]]
let y = x * x
let z = y * x + y
print row_sum(z * y * [[1, 3]] + y * [[-2, 0.5]] + x)

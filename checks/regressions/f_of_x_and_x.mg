# One value as both arguments of a function: a tool returned the derivative in one of them.
def f(a: tensor[2x2], b: tensor[2x2]) = a * exp(b) @ a + b
let x = [[0.7, -1.3], [0.4, 1.9]]
print col_sum(row_sum(f(x, x) * [[1, -2], [3, 0.5]]))

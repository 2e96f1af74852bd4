# The matrix product with a parameter, a computed value and a transpose on either side, and the
# transpose of each of these. The square half has the same shapes whichever way round a matrix is,
# so that there a missing transpose is a wrong value.
#
# Parameters: a, b, c, s, t, v
# No two parameters but the squares s and t have the same shape.
let a = [[0.7, -1.2, 2.1], [1.6, 0.4, -0.9]]
let b = [[1.3, -0.8, 1.7, 0.6], [-2.2, 1.1, 0.9, -1.5], [0.2, 1.4, -0.6, 0.8]]
let c = [[1.4, 0.9, -1.8, 2.3], [0.6, -0.7, 1.2, 0.1], [-1.1, 1.5, 0.5, -0.4], [0.3, 1.9, -0.2, 1.6], [0.8, -1.3, 0.4, 1.0]]
let s = [[0.4, -1.6, 0.9], [1.1, 0.3, -0.7], [-0.2, 1.8, 0.6]]
let t = [[-0.9, 0.5, 1.3], [0.7, 1.2, -1.4], [1.5, -0.3, 0.2]]
let v = [[1.7, -0.6, 0.8]]
let weight = [[0.3, -1.1, 0.7, 1.4, -0.5], [1.9, 0.5, -1.3, -0.2, 0.8]]
let square_weight = [[0.6, -1.4, 1.1], [0.9, 0.2, -0.7], [-1.8, 1.3, 0.4]]
let tall_weight = [[1.2], [-0.7], [0.5], [1.6]]

# Three in a row: b is the right operand of one product and in the left operand of the next.
let chain = a @ b @ transpose(c)
let reversed = transpose(c @ (transpose(b) @ transpose(a)))

# The same on squares, where the order and the transposes show only in the values.
let products = s @ t + 0.7 * (t @ s) - 0.4 * (s @ s)
let transposed = transpose(s) @ t - 1.3 * (s @ transpose(t)) + transpose(t @ t)
let alone = transpose(s) * t - 0.8 * transpose(transpose(s) + t)

# A row on the left, a column on the right, a column times a row, and a 1x1.
let vectors = transpose(b) @ transpose(v @ s)
let outer = transpose(v) @ v
let inner = v @ t @ transpose(v)

let loss = col_sum(row_sum(weight * (chain - 0.6 * reversed * chain)))
let square_loss = col_sum(row_sum(square_weight * (products + 0.5 * transposed - alone + outer)))
let tall_loss = col_sum(tall_weight * vectors)
print loss + square_loss - 0.9 * tall_loss + 0.2 * inner

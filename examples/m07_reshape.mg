# reshape: to wider and to taller, to a row, to a column and back, of a parameter and of computed
# values, and between shapes that a transpose also connects, where only the values tell them apart.
#
# Parameters: a, b, s
# No two parameters have the same shape.
let a = [[0.7, -1.2, 2.1, 0.9, -0.4, 1.5], [1.6, 0.4, -0.9, 1.3, 0.2, -1.1]]
let b = [[-0.5, 1.4, 0.8, -1.8], [1.9, -0.7, 1.2, 0.6], [0.3, 1.7, -1.4, 1.0]]
let s = [[0.4, -1.6, 0.9, 1.2], [1.1, 0.3, -0.7, 0.5], [-0.2, 1.8, 0.6, -1.3], [0.8, -0.9, 1.5, 0.1]]
let weight = [[0.3, -1.1, 0.7, 1.4], [1.9, 0.5, -1.3, -0.2], [-0.8, 2.2, 0.4, 1.7]]
let tall_weight = [[0.6, -1.4, 1.1], [0.9, 0.2, -0.7], [-1.8, 1.3, 0.4], [0.5, -0.6, 1.6]]
let wide_weight = [[1.2, -0.7, 0.5, 1.6, -0.3, 0.8, -1.5, 0.4], [-1.9, 1.1, 0.2, -0.8, 1.4, 0.9, -0.6, 1.3]]

# 2x6 to 3x4; 3x4 to 4x3, which is not the transpose.
let taller = reshape(a, 3, 4) * b
let turned = reshape(b, 4, 3) * transpose(b) - 0.7 * reshape(transpose(b), 4, 3)

# To a row, to a column and back, with something done in between.
let flat = reshape(exp(0.5 * a), 1, 12)
let column = reshape(b * b, 12, 1)
let restored = reshape(transpose(flat) * column, 3, 4)
let inner = flat @ column

# A square, to 2x8 by rows and by columns.
let wide = reshape(s, 2, 8) * reshape(transpose(s), 2, 8)
let same = reshape(s, 4, 4) @ reshape(a, 4, 3)

let loss = col_sum(row_sum(weight * (taller + 0.6 * restored)))
let tall_loss = col_sum(row_sum(tall_weight * (turned - 0.9 * same)))
let wide_loss = col_sum(row_sum(wide_weight * wide))
print loss + tall_loss - wide_loss + 0.2 * inner

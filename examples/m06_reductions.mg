# Sums, maxima and means of rows and of columns: of parameters, of computed values, and of one
# another; on a rectangle, and on a square, where a row and a column are equally long. No row or
# column has two entries that are nearly its maximum.
#
# Parameters: a, s, t
# No two parameters but the squares s and t have the same shape.
let a = [[0.7, -1.2, 2.1, 0.9], [1.6, 0.4, -0.9, 1.3], [-0.5, 1.4, 0.8, -1.8]]
let s = [[0.4, -1.6, 0.9], [1.1, 0.3, -0.7], [-0.2, 1.8, 0.6]]
let t = [[-0.9, 0.5, 1.3], [0.7, 1.2, -1.4], [1.5, -0.3, 0.2]]
let weight = [[0.3, -1.1, 0.7, 1.4], [1.9, 0.5, -1.3, -0.2], [-0.8, 2.2, 0.4, 1.7]]
let square_weight = [[0.6, -1.4, 1.1], [0.9, 0.2, -0.7], [-1.8, 1.3, 0.4]]
let row_weight = [[1.2, -0.7, 0.5, 1.6]]
let column_weight = [[-0.4], [1.8], [0.9]]

# Of a parameter: a column and a row, each weighted entry by entry.
let per_row = column_weight * (row_sum(a) - 0.6 * row_max(a) * row_mean(a))
let per_column = row_weight * (col_mean(a) * col_sum(a) + 1.7 * col_max(a))

# Of computed values, stretched back over what they were computed from.
let centered = (a - row_mean(a)) * (col_max(a * a) - a)
let shares = exp(a) / col_sum(exp(a)) - row_max(-a) * col_mean(exp(a))

# On squares, added crosswise: a row for a column is a wrong value and no wrong shape.
let crossed = row_sum(s) * s - col_sum(t) * t + 0.8 * transpose(row_mean(t)) * col_mean(s)
let largest = row_max(s @ t) * t + 1.3 * col_max(t) * s - transpose(col_max(s) * row_max(t))

# Of one another, down to 1x1, either way round.
let total = col_sum(row_max(a * weight)) * row_mean(col_sum(s * square_weight))
let other_total = row_sum(col_mean(a)) - row_max(col_sum(a)) + col_max(row_sum(t)) * col_mean(row_mean(t))

let loss = col_sum(row_sum(weight * (centered + 0.5 * shares)))
let square_loss = col_sum(row_sum(square_weight * (crossed - 0.4 * largest)))
print loss + square_loss + col_sum(per_row) - row_sum(per_column) + 0.3 * total * other_total

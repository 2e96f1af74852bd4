# + - * / and ge stretch: a row, a column and a 1x1 against a matrix, on either side of each
# operation, and against one another, where both operands grow.
#
# Parameters: matrix, row, column, one
# No two parameters have the same shape.
let matrix = [[0.7, -1.2, 2.1, 0.9], [1.6, 0.4, -0.9, 1.3], [-0.5, 1.4, 0.8, -1.8]]
let row = [[1.9, -0.7, 1.2, 0.8]]
let column = [[-1.1], [1.5], [2.3]]
let one = [[0.6]]
let weight = [[0.3, -1.1, 0.7, 1.4], [1.9, 0.5, -1.3, -0.2], [-0.8, 2.2, 0.4, 1.7]]

# Every term has a factor of its own, so that no two can be taken for each other.
let sums = (matrix + row) - 0.7 * (row + matrix) * (matrix + column) + (column + matrix)
let other_sums = 1.3 * (matrix + one) * (one + matrix) + 0.4 * (row + column) * (column + row)
let differences = (matrix - row) * (row - matrix) - 0.6 * (matrix - column) * (column - matrix)
let other_differences = (matrix - one) * (one - matrix) + 1.7 * (row - column) - (column - row)
let products = matrix * row - 0.8 * (row * matrix) * (matrix * column) + 0.3 * (column * matrix)
let other_products = (matrix * one) * (one * matrix) - 0.9 * (row * column) * (column * row)
let quotients = matrix / row + 1.1 * (row / matrix) - 0.6 * (matrix / column) + column / matrix
let other_quotients = matrix / one - 0.7 * (one / matrix) + 0.5 * (row / column) - column / row

# A 1x1 against a row and against a column, where the result is no matrix yet.
let rows = (row + one) * (one - row) - 0.4 * (row / one) * (one / row - one * row)
let columns = (column - one) * (one + column) + 1.2 * (one / column) * (column * one - column / one)

# A comparison stretches too; it is flat, and chooses what counts.
let chosen = ge(row, matrix) * column + ge(matrix, column) * row + ge(one, column) * matrix

let terms = sums - other_sums + 0.8 * differences - other_differences + products
let other_terms = 0.7 * other_products + quotients - 1.6 * other_quotients
let loss = col_sum(row_sum(weight * (terms + other_terms + rows * columns + 1.9 * chosen)))
print loss

# + - * / between two matrices: each operation with a parameter on the left, on the right and on
# both sides, and with a computed value on either side.
#
# Parameters: a, b, c, d
# The loss is weighted: no two of its terms, and no two entries of a term, count alike.
let a = [[0.7, -1.2, 2.1], [1.6, 0.4, -0.9]]
let b = [[1.3, 0.8, -1.7], [-0.6, 2.2, 1.1]]
let c = [[-0.5, 1.4], [0.9, -1.8], [2.3, 0.6]]
let d = [[1.9, -0.7], [1.2, 0.8], [-1.1, 1.5]]
let weight = [[0.3, -1.1, 0.7], [1.9, 0.5, -1.4]]
let other_weight = [[1.7, -0.4], [0.6, 1.3], [-0.8, 2.1]]

# Between parameters.
let sum = a + b
let difference = b - a
let product = c * d
let quotient = c / d

# Between computed values, in the other order.
let mixed = difference * sum - sum / b
let other = d - quotient / (product * product + d * d)

# A parameter with itself: the adjoints of both sides meet.
let square = a * a
let double = d + d
let nothing = b - b
let ones = c / c

let loss = col_sum(row_sum(weight * (mixed + 0.4 * square + nothing)))
let other_loss = col_sum(row_sum(other_weight * (other - 1.6 * double * ones)))
print loss + other_loss

# A number on either side of + - * / and a matrix on the other, numbers that are computed while
# compiling, and negation: of a parameter, of a computed value, of a number.
#
# Parameters: a, b, c
# No two parameters have the same shape.
let a = [[0.7, -1.2, 2.1], [1.6, 0.4, -0.9]]
let b = [[1.3, -0.8], [1.7, 0.6], [-2.2, 1.1], [0.9, -1.5]]
let c = [[1.4, 0.9, -1.8, 2.3, 0.6]]
let weight_a = [[0.3, -1.1, 0.7], [1.9, 0.5, -1.4]]
let weight_b = [[1.7, -0.4], [0.6, 1.3], [-0.8, 2.1], [0.2, -1.6]]
let weight_c = [[-0.9, 0.4, 1.2, 0.7, -2.3]]
let half = 1 / 2
let folded = -(3 - half) * 0.2 + 1

# On parameters: the number on the right, then on the left.
let right_a = ((a + 1.5) * 0.8 - 0.3) / 2.5
let left_a = 1.5 + 0.8 * (0.3 - a)
let left_quotient = 2.5 / b
let right_quotient = b / -1.6

# On computed values, and with numbers that have names.
let again = folded / (left_quotient * right_quotient * b - 4) - half
let negated = -c + -(-c * c) * -0.7
let difference = half - negated

let loss_a = col_sum(row_sum(weight_a * (right_a * left_a)))
let loss_b = col_sum(row_sum(weight_b * (again + left_quotient - 0.9 * right_quotient)))
let loss_c = col_sum(row_sum(weight_c * (difference * -c)))
print loss_a - loss_b + -loss_c

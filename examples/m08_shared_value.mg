# Values that are used three times, so that three adjoints add up: a parameter, a computed value in
# three different operations, one value on both sides of an operation, and a def called three times.
#
# Parameters: a, b, c
# No two parameters have the same shape.
def gate(h: tensor[2x4]) = h / (1 + exp(-h))
let a = [[0.7, -1.2, 2.1], [1.6, 0.4, -0.9]]
let b = [[1.3, -0.8, 1.7, 0.6], [-0.4, 1.1, 0.9, -1.5], [0.2, 1.4, -0.6, 0.8]]
let c = [[0.5], [-1.3], [0.9], [1.8]]
let weight = [[0.3, -1.1, 0.7, 1.4], [1.9, 0.5, -1.3, -0.2]]
let inner_weight = [[0.6, -1.4, 1.1], [0.9, 0.2, -0.7]]
let tall_weight = [[1.2], [-0.7]]

# A computed value in three operations; c in three as well, below.
let hidden = a @ b
let left = hidden @ c
let grown = exp(0.4 * hidden)
let shifted = hidden - row_mean(hidden)

# A parameter three times in one product, and a computed value on both sides.
let cube = a * a * a
let both = grown * grown - shifted / (grown + grown)

# One def, three calls, two of them on the same argument.
let gated = gate(hidden) * gate(shifted) + 0.7 * gate(hidden)

let loss = col_sum(row_sum(weight * (both + gated * transpose(c))))
let inner_loss = col_sum(row_sum(inner_weight * cube))
let tall_loss = col_sum(tall_weight * left)
print loss + 0.8 * inner_loss - tall_loss * (transpose(c) @ c)

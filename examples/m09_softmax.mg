# Softmax and cross-entropy of a linear classifier, both in the stable form that subtracts the row
# maximum. Examples and probabilities are weighted; the classes are not equally frequent.
#
# Parameters: w, b, x
# No two parameters have the same shape.
def shifted(z: tensor[5x3]) = z - row_max(z)
def log_softmax(z: tensor[5x3]) = shifted(z) - log(row_sum(exp(shifted(z))))
def softmax(z: tensor[5x3]) = exp(shifted(z)) / row_sum(exp(shifted(z)))
let w = [[0.4, -1.6, 0.9], [1.1, 0.3, -0.7], [-0.2, 0.8, 0.6], [0.5, -0.9, 1.3]]
let b = [[0.1, -0.4, 0.7]]
let x = [[0.7, -1.2, 0.6, 0.9], [1.6, 0.4, -0.9, 1.3], [-0.5, 1.4, 0.8, -0.8], [0.2, -0.7, 1.5, 0.3], [1.1, 0.8, -0.3, -1.4]]
let y = [[1, 0, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1], [0, 0, 1]]
let example_weight = [[0.8], [1.7], [0.4], [1.2], [2.1]]
let weight = [[0.3, -1.1, 0.7], [1.9, 0.5, -1.3], [-0.8, 1.4, 0.2], [0.6, -0.4, 1.6], [1.5, 0.9, -0.7]]

let logits = x @ w + b
let cross_entropy = -col_sum(example_weight * row_sum(y * log_softmax(logits))) / 5
let weighted = col_sum(row_sum(weight * softmax(1.4 * logits)))
print cross_entropy + 0.3 * weighted

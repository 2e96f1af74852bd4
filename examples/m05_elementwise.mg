# exp, log, sqrt, relu and ge: of parameters, of computed values, and of one another. No entry of
# what relu and ge look at is near where they jump.
#
# Parameters: a, b, c, d
# No two parameters have the same shape.
let a = [[0.7, -1.2, 0.9], [-0.6, 0.4, -0.9]]
let b = [[1.3, 0.8], [1.7, 0.6], [2.2, 1.1], [0.9, 1.5]]
let c = [[1.4, 0.9, 1.8, 2.3, 0.6]]
let d = [[0.5, -1.4, 1.1], [-0.8, 0.7, 1.9], [1.6, -0.3, -1.2]]
let weight_a = [[0.3, -1.1, 0.7], [1.9, 0.5, -1.4]]
let weight_b = [[1.7, -0.4], [0.6, 1.3], [-0.8, 2.1], [0.2, -1.6]]
let weight_c = [[-0.9, 0.4, 1.2, 0.7, -2.3]]
let weight_d = [[0.6, -1.4, 1.1], [0.9, 0.2, -0.7], [-1.8, 1.3, 0.4]]

# Of parameters.
let grown = exp(a)
let logarithm = log(b)
let root = sqrt(c)
let kept = relu(d)

# Of computed values, and of each other.
let nested = log(grown * grown + 0.5) - exp(-0.8 * a)
let roots = sqrt(b * b + 1.2) / (logarithm + 2.5)
let powers = exp(0.3 * root) * log(root + c) - sqrt(sqrt(c))
let bent = relu(0.9 - d) * kept + relu(d @ d - 0.25)

# A comparison has no slope: what it lets through has.
let gated = ge(d, transpose(d) - 0.1) * exp(-d) + ge([[0.2]], d) * d

let loss_a = col_sum(row_sum(weight_a * nested))
let loss_b = col_sum(row_sum(weight_b * roots))
let loss_c = col_sum(row_sum(weight_c * powers))
let loss_d = col_sum(row_sum(weight_d * (bent - 1.4 * gated)))
print loss_a + loss_b - 0.7 * loss_c + loss_d

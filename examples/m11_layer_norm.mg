# Layer normalisation of the rows of a linear map, with a scale and a shift: once as the last thing
# and once inside, where another map follows. A mean in the wrong direction would stretch too, so
# that it is a wrong value and no wrong shape.
#
# Parameters: h, w, gain, shift, out
# No two parameters but gain and shift have the same shape.
def centered(h: tensor[3x4]) = h - row_mean(h)
def sigma(h: tensor[3x4]) = sqrt(row_mean(centered(h) * centered(h)) + 0.00001)
def norm(h: tensor[3x4], gain: tensor[1x4], shift: tensor[1x4]) = centered(h) / sigma(h) * gain + shift
let h = [[0.7, -1.2, 2.1, 0.9], [1.6, 0.4, -0.9, 1.3], [-0.5, 1.4, 0.8, -1.8]]
let w = [[0.4, -1.6, 0.9, 1.2], [1.1, 0.3, -0.7, 0.5], [-0.2, 1.8, 0.6, -1.3], [0.8, -0.9, 1.5, 0.1]]
let gain = [[1.2, 0.7, -0.5, 1.6]]
let shift = [[-0.3, 0.8, 0.4, -1.1]]
let out = [[1.3, -0.8], [0.6, 1.7], [-0.4, 0.9], [1.1, -1.5]]
let weight = [[0.3, -1.1, 0.7, 1.4], [1.9, 0.5, -1.3, -0.2], [-0.8, 2.2, 0.4, 1.7]]
let out_weight = [[0.6, -1.4], [0.9, 0.2], [-1.8, 1.3]]

let inner = norm(h @ w, gain, shift)
let outer = norm(h + 0.6 * inner, gain, shift)
let loss = col_sum(row_sum(weight * outer))
let out_loss = col_sum(row_sum(out_weight * (inner @ out)))
print loss + 0.7 * out_loss

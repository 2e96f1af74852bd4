# Copied out of examples/chapters/ch34_layer_norm.mg by `python -m ground_truth extract h34_layer_norm`; do not edit.

def sigma(h: tensor[1x4]) = sqrt(row_mean((h - row_mean(h)) * (h - row_mean(h))) + 0.00001)
def normalized(h: tensor[1x4]) = (h - row_mean(h)) / sigma(h)
def loss(h: tensor[1x4], d: tensor[1x4]) = row_sum(d * normalized(h))

let h = [[1, 2, 4, 8]]
let d = [[1, -2, 3, 0.5]]

# An entry acts on the loss in three ways: itself, through the mean and through sigma.
let hat = normalized(h)
let d_h = (d - row_mean(d) - hat * row_mean(d * hat)) / sigma(h)

# The loss, then its gradients with respect to h.
print loss(h, d)
print d_h

# transpose(y) @ a: a tool multiplied by a, where its transpose belongs. All sizes of a are equal.
let y = [[0.7], [-1.3], [0.4]]
let a = [[0.4, -1.6, 0.9], [1.1, 0.3, -0.7], [-0.2, 1.8, 0.6]]
print transpose(y) @ a @ [[1], [-2], [0.5]]

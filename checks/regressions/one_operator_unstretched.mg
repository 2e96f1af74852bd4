# A column under a matrix in four operators: a tool summed the adjoint for three of them.
let m = [[0.7, -1.2, 2.1], [1.6, 0.4, -0.9]]
let c = [[1.3], [-0.8]]
print col_sum(row_sum([[0.3, -1.1, 0.7], [1.9, 0.5, -1.4]] * (m + c - m * c + (m - c) / c)))

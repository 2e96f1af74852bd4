# A rule forgot the adjoint that reached it: right wherever its operation comes last.
let x = [[0.5, 1.5], [2.5, 0.7]]
let y = sqrt(x) * [[2, -3], [0.5, 1.5]]
print col_sum(row_sum(exp(y * 0.3) * log(x) / x * [[1, -2], [3, 4]]))

# Maxima that several entries share. There is no one derivative there; by convention the entries
# share the adjoint equally.
#
# Parameters: m
# The gradient of the first print is [[0, 0.5, 0.5], [0.5, 0.5, 0]].
let m = [[1, 3, 3], [2, 2, 0]]
print col_sum(row_max(m))

# In rows, of 2, 3 and 4 entries, and a row without a tie.
let in_rows = [[2, 5, 1, 5], [4, 4, 0, 4], [3, 3, 3, 3], [0, 1, 7, 2]]
let row_weight = [[1.4], [-0.9], [2.2], [0.7]]
print col_sum(row_weight * row_max(in_rows))

# In columns, of 2, 3 and 4 entries, and a column without a tie.
let in_columns = [[6, 2, 5, 1], [0, 2, 5, 1], [3, 1, 5, 1], [4, 0, 2, 1]]
let column_weight = [[0.8, -1.6, 1.1, 2.5]]
print row_sum(column_weight * col_max(in_columns))

# Both ways at once, on no square: every row, and then the rows' maxima, have ties.
let both = [[3, 1, 3], [2, 3, 3]]
let both_weight = [[1.3], [-0.6]]
print col_sum(both_weight * row_max(both)) + 0.7 * row_max(col_max(both)) * col_max(row_max(both))

# Of computed values: no entry of the literal is tied, only those of its square.
let signed = [[-2, 2, 1], [3, -1, -3]]
print col_sum(both_weight * row_max(signed * signed))

# All zero, of either sign: 0 and -0 are equal, so they share.
let zeros = [[0, -0.0, 0, 0, -0.0]]
print row_max(zeros) * 1.5

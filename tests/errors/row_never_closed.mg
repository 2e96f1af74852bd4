# The inner bracket.
let a = [[1, 2

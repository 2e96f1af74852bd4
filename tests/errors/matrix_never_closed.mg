# The outer bracket.
let a = [[1, 2]

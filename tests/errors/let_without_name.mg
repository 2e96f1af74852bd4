# A number where a name is wanted.
let 2 = [[1]]

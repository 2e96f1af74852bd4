# A name that resembles nothing.
let weight = [[1, 2]]
print q

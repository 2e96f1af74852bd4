# The same by a quotient.
let s = 1e200 / 1e-200

# An exponent has digits.
let s = 1e+

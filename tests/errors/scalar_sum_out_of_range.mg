# A scalar that is too large for an f64.
let s = 1e308 + 1e308

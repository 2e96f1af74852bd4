# A number that is too large for an f64.
let s = 1e999

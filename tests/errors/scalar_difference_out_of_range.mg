# The same on the other side.
let s = -1e308 - 1e308

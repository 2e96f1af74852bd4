# The other zero.
let s = 1 / -0

# The same below zero.
let s = -1e999

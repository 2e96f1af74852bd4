# Scalars are computed while compiling.
let s = 2 / (1 - 1)

# No plus.
let a = [[+1]]

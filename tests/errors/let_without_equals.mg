# A let without its '='.
let a [[1]]

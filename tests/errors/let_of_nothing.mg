# A let without its expression.
let a =

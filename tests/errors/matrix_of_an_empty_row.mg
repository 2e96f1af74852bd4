# At least one number in a row.
let a = [[]]

# At least one row.
let a = []

# Two brackets, even for one row.
let a = [1, 2]

# A comma between rows.
let a = [[1] [2]]

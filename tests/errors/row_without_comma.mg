# A comma between numbers.
let a = [[1, 2 3]]

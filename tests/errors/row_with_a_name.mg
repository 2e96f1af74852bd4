# A matrix holds numbers.
let s = 2
let a = [[1, s]]

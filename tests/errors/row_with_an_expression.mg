# A matrix holds numbers.
let a = [[1 + 2]]

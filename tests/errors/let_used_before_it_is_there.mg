# A let is there from its line on.
print a
let a = [[1]]

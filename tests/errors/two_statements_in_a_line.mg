# A statement is one line.
let a = [[1]]; print a

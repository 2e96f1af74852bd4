# A statement is one line.
let a = [[1, 2],
         [3, 4]]

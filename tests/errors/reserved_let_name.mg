# A keyword as a let's name.
let print = [[1]]

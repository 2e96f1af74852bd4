# A comma that no number follows.
let a = [[1, ]]

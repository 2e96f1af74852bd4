# A comma that no row follows.
let a = [[1], ]

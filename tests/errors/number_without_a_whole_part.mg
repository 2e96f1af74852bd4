# A number starts with a digit.
let s = .5

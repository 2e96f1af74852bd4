# A let's expression does not see the let.
let a = a + [[1]]

# One minus at most.
let a = [[--1]]

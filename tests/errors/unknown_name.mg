# A name that is nearly that of a let.
let weight = [[1, 2]]
print weihgt

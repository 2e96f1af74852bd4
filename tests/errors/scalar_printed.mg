# A scalar has no shape.
let s = 2
print s / 4

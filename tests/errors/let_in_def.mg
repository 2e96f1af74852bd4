# A def sees its parameters and earlier defs only.
let x = [[1]]
def f(a: tensor[1x1]) = a + x

# A parameter has rank 2.
def f(a: tensor[2x3x4]) = a

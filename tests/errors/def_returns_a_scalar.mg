# A def returns a matrix.
def f(a: tensor[1x1]) = 2 * 3

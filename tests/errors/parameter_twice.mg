# Two parameters of one name.
def f(a: tensor[1x1], b: tensor[1x1], a: tensor[2x2]) = a

# A type has two sizes.
def f(a: tensor[2]) = a

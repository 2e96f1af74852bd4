# There is no recursion.
def f(a: tensor[1x1]) = f(a)

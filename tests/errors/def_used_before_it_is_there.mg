# A def calls earlier defs only.
def f(a: tensor[1x1]) = g(a)
def g(a: tensor[1x1]) = a

# The other size.
def f(a: tensor[?x0]) = a

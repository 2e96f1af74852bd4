# A def cannot be replaced, unlike a let.
def f(a: tensor[1x1]) = a
def f(a: tensor[1x1]) = a + a

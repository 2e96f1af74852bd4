# An argument of another rank.
def f(m: tensor[?x?]) = m
print f(reshape([[1, 2]], 1, 1, 2))

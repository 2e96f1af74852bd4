# A def wants matrices.
def f(m: tensor[1x1]) = m
print f(-2)

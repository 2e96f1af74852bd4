# The same for a def.
def f(a: tensor[1x1]) = a
print f

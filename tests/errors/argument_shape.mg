# An argument of another size.
def f(m: tensor[2x?]) = m
print f([[1, 2, 3]])

# Too few arguments.
def f(a: tensor[1x1], b: tensor[1x1]) = a + b
print f([[1]])

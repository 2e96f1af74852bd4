# The bracket of a def is not closed.
def f(a: tensor[1x1] = a

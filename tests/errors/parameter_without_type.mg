# A parameter without a type.
def f(a) = a

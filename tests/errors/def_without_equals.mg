# A def without its '='.
def f(a: tensor[1x1]) a

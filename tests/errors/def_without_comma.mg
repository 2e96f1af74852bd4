# Parameters without a comma.
def f(a: tensor[1x1] b: tensor[1x1]) = a

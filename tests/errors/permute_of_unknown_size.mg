# A permute is for known sizes.
def f(a: tensor[?x2]) = permute(a, 1, 0)

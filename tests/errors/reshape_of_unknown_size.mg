# A reshape is for known sizes.
def f(a: tensor[?x2]) = reshape(a, 2, 2)

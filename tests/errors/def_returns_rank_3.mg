# A def returns a value of rank 2.
def f(a: tensor[2x3]) = reshape(a, 1, 2, 3)

# A def that could never be called.
def row_mean(a: tensor[1x1]) = a

# A comma that no parameter follows.
def f(a: tensor[1x1],) = a

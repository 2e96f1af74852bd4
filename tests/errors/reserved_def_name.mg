# A keyword as a def's name.
def let(a: tensor[1x1]) = a

# A keyword as a parameter's name.
def f(def: tensor[1x1]) = [[1]]

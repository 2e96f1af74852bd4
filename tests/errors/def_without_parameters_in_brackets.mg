# The brackets of a def.
def f = [[1]]

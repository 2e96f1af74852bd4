# A comma that no size follows.
print reshape([[1, 2]], 2, )

# So are the reductions.
print row_sum(reshape([[1, 2]], 1, 1, 2))

# So are the reductions.
print col_max(reshape([[1, 2]], 2))

# Each matrix has its axes.
print contract([[1]])

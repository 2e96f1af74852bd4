# A mean is of one matrix.
print row_mean([[1]], [[2]])

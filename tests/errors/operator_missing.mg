# Two operands and nothing between.
print [[1]] [[2]]

# A keyword as an operand.
print [[1]] + let

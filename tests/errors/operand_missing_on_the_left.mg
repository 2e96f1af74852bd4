# Only the minus has no left operand.
print * [[1]]

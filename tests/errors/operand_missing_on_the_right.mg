# An operator wants two operands.
print [[1]] +

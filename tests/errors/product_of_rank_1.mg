# And the scalar's operand.
print 2 * reshape([[1, 2]], 2)

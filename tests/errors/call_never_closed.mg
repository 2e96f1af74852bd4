# The same in a call.
print exp([[1]]

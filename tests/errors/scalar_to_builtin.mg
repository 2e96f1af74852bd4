# A built-in wants matrices.
print exp(0.5)

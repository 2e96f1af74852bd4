# A print without its expression.
print   # nothing

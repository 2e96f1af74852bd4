# A built-in's name alone is a let's or a parameter's.
print exp

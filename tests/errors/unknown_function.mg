# A built-in, misspelled: what it is called with does not matter.
print relo(2)

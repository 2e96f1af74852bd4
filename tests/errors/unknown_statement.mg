# A keyword, misspelled.
lte a = [[1]]

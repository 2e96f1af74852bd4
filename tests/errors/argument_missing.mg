# Nothing between two commas.
print ge([[1]], , [[2]])

# Columns on the left, rows on the right.
print [[1, 2]] @ [[3, 4]]

# A character that belongs nowhere.
print [[1]] $ [[2]]

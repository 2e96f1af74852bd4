# A permute without its matrix.
print permute()

# Brackets with nothing inside.
print ()

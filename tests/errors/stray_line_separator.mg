# What cannot be seen is spelled out.
print [[1]]  

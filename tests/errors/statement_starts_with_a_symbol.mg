# A statement without its keyword.
[[1, 2]]

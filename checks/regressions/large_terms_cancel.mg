# Two terms of 1e25 cancel: a tool that reassociated the sum lost the third.
let x = [[2, 3]]
let big = x * 1e25
print row_sum((big - big + x) * [[100, -7]])

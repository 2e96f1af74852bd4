# The right sizes, in the wrong order.
let a = [[1, 2, 3], [4, 5, 6]]
print contract(a, (0, 1), transpose(a), (0, 1))

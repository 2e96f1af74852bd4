# The same by a product.
let s = 1e200 * 1e200

"""`autograd -O`: the gradient program that an expert would write.

`graph` rebuilds graphs of values so that equal ones become one, and applies rules; `algebra`,
`regrouping` and `products` hold the rules, `softmax` differentiates a softmax in one step,
`schedule` orders the statements, `passes` is the list of all of it in order, and `write` writes
the program down.
"""

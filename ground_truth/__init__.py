"""The chapter programs of the book, whose gradients are derived by hand, and excerpts of them.

Three chapters derive a backward pass by hand: 33 (attention), 34 (layer normalisation) and 35
(a transformer block). Their programs are generated: the data come from the rules of the book
(`random_numbers`, `attention_data`, `transformer_data`), the mathematics is the text of
`attention`, `layer_norm` and `transformer`. `python -m ground_truth` writes them to
examples/chapters/, and `--check` compares instead.

What autograd is compared with is an excerpt of a chapter program: some of its statements, copied
by name (`extract`), then a print of the loss and one of each gradient (`excerpts`).

How statements are named, so that a name means one thing in the whole of a program:

- A parameter ends in the number of training steps that it has been through: `wk0` is drawn,
  `wk1` comes out of the first step. Where the name of a parameter has a digit of its own, that
  comes first: `w10` is w1 before training, `w110` is w1 after ten steps.
- In Chapter 35 the lets of the first step have the names of the mathematics (`x0`, `u1`, `a`,
  `loss`, and `d_x0` for the gradient with respect to `x0`); those of step k end in `_k` from
  the second step on (`x0_2`, `d_x0_2`). `d_e` is the gradient that takes `e0` to `e1`.
- In Chapter 33 a gradient is a def (`grad_wk`, and `d_scores` on the way to it) and a step has
  no lets but the new parameters.
"""

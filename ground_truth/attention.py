"""The program of Chapter 33: a one-head attention classifier with gradients derived by hand.

The model, for 24 sequences of 4 tokens:

    scores  = (x wk) q^T / sqrt(3), reshaped 24x4        a = softmax over each row of scores
    context = g ((x wv) * a as a 96x1 column)            logits = context wo
    loss    = -(1/24) sum(y * log_softmax(logits))

Chapter 33 writes each gradient as a def that recomputes what it needs; what that costs is a
subject of its own, so the defs share nothing but what they call.
"""

from __future__ import annotations

import math
from textwrap import dedent

from ground_truth.attention_data import WIDTH, data, parameters
from ground_truth.literal_text import let_lines

STEPS = 200

_DEFS = """\
# ---- the model

# One score a token, a row a sequence; {root} is the square root of the width of a key.
def scores(x: tensor[96x5], q: tensor[1x3], wk: tensor[5x3]) = \
reshape(x @ wk @ transpose(q) / {root}, 24, 4)

# Subtracting the row maximum changes no softmax, and keeps exp from overflowing.
def softmax(s: tensor[24x4]) = exp(s - row_max(s)) / row_sum(exp(s - row_max(s)))
def attention(x: tensor[96x5], q: tensor[1x3], wk: tensor[5x3]) = softmax(scores(x, q, wk))

# The attention as one column, to weight the 96 token rows with; g adds up those of a sequence.
def token_weights(x: tensor[96x5], q: tensor[1x3], wk: tensor[5x3]) = \
reshape(attention(x, q, wk), 96, 1)
def context(x: tensor[96x5], g: tensor[24x96], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3]) = \
g @ (x @ wv * token_weights(x, q, wk))
def logits(x: tensor[96x5], g: tensor[24x96], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
context(x, g, q, wk, wv) @ wo

def log_softmax(z: tensor[24x5]) = z - row_max(z) - log(row_sum(exp(z - row_max(z))))
def loss(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
-col_sum(row_sum(y * log_softmax(logits(x, g, q, wk, wv, wo)))) / 24

# The share of the sequences whose label has the largest logit. A maximum that n logits share
# counts 1/n for the label, as if one of them were picked blindly.
def best(z: tensor[24x5]) = ge(z, row_max(z))
def share_right(y: tensor[24x5], z: tensor[24x5]) = \
col_mean(row_sum(y * best(z)) / row_sum(best(z)))
def accuracy(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
share_right(y, logits(x, g, q, wk, wv, wo))

# ---- the way back: d_NAME is the gradient of the loss with respect to NAME

# Softmax minus label: what softmax and cross-entropy leave, as each row of y adds up to 1.
def d_logits(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
(exp(log_softmax(logits(x, g, q, wk, wv, wo))) - y) / 24
def d_context(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
d_logits(x, g, y, q, wk, wv, wo) @ transpose(wo)

# Back from a sequence to its tokens: with respect to each token's value times its weight.
def d_weighted(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
transpose(g) @ d_context(x, g, y, q, wk, wv, wo)
def d_attention(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
reshape(row_sum(d_weighted(x, g, y, q, wk, wv, wo) * (x @ wv)), 24, 4)

# Through softmax: a is its result, d the gradient with respect to that.
def softmax_backward(a: tensor[24x4], d: tensor[24x4]) = a * (d - row_sum(d * a))
def d_scores(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
softmax_backward(attention(x, q, wk), d_attention(x, g, y, q, wk, wv, wo))

# The scores as the column x wk q^T that they were before they were scaled and reshaped.
def d_column(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
reshape(d_scores(x, g, y, q, wk, wv, wo), 96, 1) / {root}

# ---- the gradients with respect to the parameters

def grad_q(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
transpose(d_column(x, g, y, q, wk, wv, wo)) @ (x @ wk)
def grad_wk(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
transpose(x) @ (d_column(x, g, y, q, wk, wv, wo) @ q)
def grad_wv(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
transpose(x) @ (d_weighted(x, g, y, q, wk, wv, wo) * token_weights(x, q, wk))
def grad_wo(x: tensor[96x5], g: tensor[24x96], y: tensor[24x5], \
q: tensor[1x3], wk: tensor[5x3], wv: tensor[5x3], wo: tensor[3x5]) = \
transpose(context(x, g, q, wk, wv)) @ d_logits(x, g, y, q, wk, wv, wo)
"""

_STEP = """\
let q{new} = q{old} - 3.0 * grad_q(x, g, y, q{old}, wk{old}, wv{old}, wo{old})
let wk{new} = wk{old} - 3.0 * grad_wk(x, g, y, q{old}, wk{old}, wv{old}, wo{old})
let wv{new} = wv{old} - 3.0 * grad_wv(x, g, y, q{old}, wk{old}, wv{old}, wo{old})
let wo{new} = wo{old} - 3.0 * grad_wo(x, g, y, q{old}, wk{old}, wv{old}, wo{old})
"""

_PRINTS = """\
print loss(x, g, y, q{new}, wk{new}, wv{new}, wo{new})
print accuracy(x, g, y, q{new}, wk{new}, wv{new}, wo{new})
"""


def program(steps: int = STEPS) -> str:
    """Return the program; it prints loss and accuracy, both 1x1, before and after each step."""
    initial = {f"{name}0": matrix for name, matrix in parameters().items()}
    return (
        "\n".join(
            [
                _head(steps),
                _DEFS.format(root=math.sqrt(WIDTH)),
                "# ---- data and initial parameters\n",
                let_lines(data()),
                "",
                let_lines(initial),
                "",
                "# ---- training\n",
                _PRINTS.format(new=0),
                *(_step(number) for number in range(1, steps + 1)),
            ]
        ).rstrip("\n")
        + "\n"
    )


def _step(number: int) -> str:
    return (_STEP + _PRINTS).format(old=number - 1, new=number)


def _head(steps: int) -> str:
    return dedent(f"""\
        # Chapter 33: a one-head attention classifier, its gradients derived by hand.
        #
        # A sequence of 4 tokens out of 0 to 4 has as its label the token it contains that comes
        # first in the list 1, 3, 2, 0, 4. Rows of x (96x5) are tokens and rows of y (24x5) labels,
        # both one-hot; g (24x96) has a 1 where the column's token is in the row's sequence.
        #
        # Training takes {steps} steps of gradient descent on all four matrices, at learning rate 3.
        # Printed are the loss and then the accuracy: before training, and after every step.
        #
        # Generated by `python -m ground_truth`; do not edit.
        """)

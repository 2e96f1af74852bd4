"""The program of Chapter 35: one transformer block, its backward pass derived by hand.

The model, for 16 sequences of 7 tokens stacked into 112 rows:

    x0 = x e + ps                         u1 = ln(x0, g1, n1)      q, k, v = u1 wq, u1 wk, u1 wv
    a  = softmax(q k^T / sqrt(8) + mk)    x1 = x0 + (a v) wo       u2 = ln(x1, g2, n2)
    x2 = x1 + relu(u2 w1 + c1) w2 + c2    logits = ln(x2, gf, nf) wu
    loss = -(1/64) sum(y * log_softmax(logits))
    ln(h, g, n) = (h - mean h) / sigma * g + n, with epsilon 0.00001

Unlike Chapter 33 the backward pass is one let a step, and shares what the forward pass computed.
"""

from __future__ import annotations

import math
from textwrap import dedent

from ground_truth.literal_text import let_lines
from ground_truth.transformer_data import WIDTH, data, parameters

STEPS = 10

_DEFS = """\
# ---- layer normalisation

def sigma(h: tensor[112x8]) = sqrt(row_mean((h - row_mean(h)) * (h - row_mean(h))) + 0.00001)
def hat(h: tensor[112x8]) = (h - row_mean(h)) / sigma(h)
def norm(h: tensor[112x8], g: tensor[1x8], n: tensor[1x8]) = hat(h) * g + n

# d is the gradient with respect to hat(h). An entry of a row acts on the loss in three ways:
# itself, through the row's mean and through its sigma.
def norm_backward(d: tensor[112x8], h: tensor[112x8]) = \
(d - row_mean(d) - hat(h) * row_mean(d * hat(h))) / sigma(h)

# ---- softmax; subtracting the row maximum changes no softmax, and keeps exp from overflowing

def softmax(s: tensor[112x112]) = exp(s - row_max(s)) / row_sum(exp(s - row_max(s)))
def softmax_backward(a: tensor[112x112], d: tensor[112x112]) = a * (d - row_sum(d * a))

def log_softmax(z: tensor[112x4]) = z - row_max(z) - log(row_sum(exp(z - row_max(z))))
"""

_FORWARD = """\
# The tokens, each as a vector that says what it is and where it stands.
let x0{step} = x @ e{old} + ps

# Attention: each position looks at itself and at what is before it.
let u1{step} = norm(x0{step}, g1{old}, n1{old})
let q{step} = u1{step} @ wq{old}
let k{step} = u1{step} @ wk{old}
let v{step} = u1{step} @ wv{old}
let a{step} = softmax(q{step} @ transpose(k{step}) / {root} + mk)
let seen{step} = a{step} @ v{step}
let x1{step} = x0{step} + seen{step} @ wo{old}

# Feed-forward: each position by itself.
let u2{step} = norm(x1{step}, g2{old}, n2{old})
let pre{step} = u2{step} @ w1{old} + c1{old}
let act{step} = relu(pre{step})
let x2{step} = x1{step} + act{step} @ w2{old} + c2{old}

# The next token, and how surprising the right one is.
let uf{step} = norm(x2{step}, gf{old}, nf{old})
let logits{step} = uf{step} @ wu{old}
let loss{step} = -col_sum(row_sum(y * log_softmax(logits{step}))) / 64
print loss{step}
"""

_BACKWARD = """\
# The way back from the logits: softmax minus label, in the rows that predict a token.
let d_logits{step} = (exp(log_softmax(logits{step})) * mr - y) / 64
let d_wu{step} = transpose(uf{step}) @ d_logits{step}
let d_uf{step} = d_logits{step} @ transpose(wu{old})
let d_gf{step} = col_sum(d_uf{step} * hat(x2{step}))
let d_nf{step} = col_sum(d_uf{step})
let d_x2{step} = norm_backward(d_uf{step} * gf{old}, x2{step})

# Back through the feed-forward; x1 also reaches x2 directly.
let d_w2{step} = transpose(act{step}) @ d_x2{step}
let d_c2{step} = col_sum(d_x2{step})
let d_pre{step} = d_x2{step} @ transpose(w2{old}) * ge(pre{step}, [[0]])
let d_w1{step} = transpose(u2{step}) @ d_pre{step}
let d_c1{step} = col_sum(d_pre{step})
let d_u2{step} = d_pre{step} @ transpose(w1{old})
let d_g2{step} = col_sum(d_u2{step} * hat(x1{step}))
let d_n2{step} = col_sum(d_u2{step})
let d_x1{step} = d_x2{step} + norm_backward(d_u2{step} * g2{old}, x1{step})

# Back through the attention; x0 also reaches x1 directly.
let d_wo{step} = transpose(seen{step}) @ d_x1{step}
let d_seen{step} = d_x1{step} @ transpose(wo{old})
let d_v{step} = transpose(a{step}) @ d_seen{step}
let d_a{step} = d_seen{step} @ transpose(v{step})
let d_scores{step} = softmax_backward(a{step}, d_a{step}) / {root}
let d_q{step} = d_scores{step} @ k{step}
let d_k{step} = transpose(d_scores{step}) @ q{step}
let d_wq{step} = transpose(u1{step}) @ d_q{step}
let d_wk{step} = transpose(u1{step}) @ d_k{step}
let d_wv{step} = transpose(u1{step}) @ d_v{step}
let d_u1{step} = \
d_q{step} @ transpose(wq{old}) + d_k{step} @ transpose(wk{old}) + d_v{step} @ transpose(wv{old})
let d_g1{step} = col_sum(d_u1{step} * hat(x0{step}))
let d_n1{step} = col_sum(d_u1{step})
let d_x0{step} = d_x1{step} + norm_backward(d_u1{step} * g1{old}, x0{step})
let d_e{step} = transpose(x) @ d_x0{step}
"""

_UPDATE = "let {name}{new} = {name}{old} - 1.0 * d_{name}{step}"


def program(steps: int = STEPS) -> str:
    """Return the program; it prints the loss (1x1) before training and after each step."""
    drawn = parameters()
    initial = {f"{name}0": matrix for name, matrix in drawn.items()}
    return "\n".join(
        [
            _head(steps),
            _DEFS,
            "# ---- data and initial parameters\n",
            let_lines(data()),
            "",
            let_lines(initial),
            "",
            *(_step(number, list(drawn)) for number in range(1, steps + 1)),
            f"# ---- the loss after step {steps}\n",
            _lets(_FORWARD, steps + 1),
        ]
    )


def _lets(template: str, number: int) -> str:
    step = "" if number == 1 else f"_{number}"
    return template.format(step=step, old=number - 1, new=number, root=math.sqrt(WIDTH))


def _step(number: int, names: list[str]) -> str:
    suffix = "" if number == 1 else f"_{number}"
    updates = [_UPDATE.format(name=name, new=number, old=number - 1, step=suffix) for name in names]
    return "\n".join(
        [
            f"# ---- step {number}\n",
            _lets(_FORWARD, number),
            _lets(_BACKWARD, number),
            *updates,
            "",
        ]
    )


def _head(steps: int) -> str:
    return dedent(f"""\
        # Chapter 35: a transformer block as a causal language model, its gradients derived by hand.
        #
        # Sequences a b c a b c a of tokens 0 to 3 are stacked into 112 rows. Rows of x (112x4) are
        # tokens and rows of y (112x4) the tokens that follow them, both one-hot; y is zero where
        # none is to be predicted, and mr (112x1) marks the others. ps (112x8) holds the position
        # vectors, and mk (112x112) hides other sequences and what comes later.
        #
        # Training takes {steps} steps of gradient descent on all parameters, at learning rate 1.
        # Printed is the loss: before training, and after every step. Names are the mathematics'
        # in the first step and end in _2, _3, ... in the later ones; d_NAME is the gradient of the
        # loss with respect to NAME, and the number at the end of a parameter counts its steps.
        #
        # Generated by `python -m ground_truth`; do not edit.
        """)

"""The excerpts: programs that print a loss and then the gradients that the book derives by hand.

An excerpt names the statements that it copies, never lines, and ends with its own prints.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill

from ground_truth import attention_data, transformer_data
from ground_truth.extract import extract

_COMMENT_COLUMNS = 100


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Statements of a chapter program, and what to print of them.

    `gradients` are expressions by the name of the let that each is the gradient with respect to,
    in the order of printing; all of them differentiate `loss`.
    """

    name: str
    chapter: str
    statements: tuple[str, ...]
    loss: str
    gradients: dict[str, str]


def _attention() -> Excerpt:
    arguments = "x, g, y, q0, wk0, wv0, wo0"
    names = """
        scores softmax attention token_weights context logits
        log_softmax loss
        d_logits d_context d_weighted d_attention softmax_backward d_scores d_column
        grad_q grad_wk grad_wv grad_wo
        x g y q0 wk0 wv0 wo0
    """
    return Excerpt(
        name="h33_attention",
        chapter="ch33_attention",
        statements=tuple(names.split()),
        loss=f"loss({arguments})",
        gradients={f"{name}0": f"grad_{name}({arguments})" for name in attention_data.parameters()},
    )


def _layer_norm() -> Excerpt:
    return Excerpt(
        name="h34_layer_norm",
        chapter="ch34_layer_norm",
        statements=("sigma", "normalized", "loss", "h", "d", "hat", "d_h"),
        loss="loss(h, d)",
        gradients={"h": "d_h"},
    )


def _transformer() -> Excerpt:
    parameters = tuple(transformer_data.parameters())
    names = """
        sigma hat norm norm_backward softmax softmax_backward log_softmax
        x ps mk y mr
        x0 u1 q k v a seen x1 u2 pre act x2 uf logits loss
        d_logits d_uf d_x2 d_pre d_u2 d_x1 d_seen d_v d_a d_scores d_q d_k d_u1 d_x0
    """
    return Excerpt(
        name="h35_transformer_step1",
        chapter="ch35_transformer",
        statements=(
            *names.split(),
            *(f"{name}0" for name in parameters),
            *(f"d_{name}" for name in parameters),
        ),
        loss="loss",
        gradients={f"{name}0": f"d_{name}" for name in parameters},
    )


EXCERPTS = {excerpt.name: excerpt for excerpt in (_attention(), _layer_norm(), _transformer())}


def excerpt_program(excerpt: Excerpt, source: str, file: str) -> str:
    """Return the program: the statements copied out of `source`, then the prints.

    `file` names the source, in the first line and in errors. Diagnostic where a statement is
    missing.
    """
    statements = extract(source, excerpt.statements, file)
    command = f"python -m ground_truth extract {excerpt.name}"
    head = f"# Copied out of {file} by `{command}`; do not edit.\n"
    order = ", ".join(excerpt.gradients)
    comment = fill(
        f"The loss, then its gradients with respect to {order}.",
        _COMMENT_COLUMNS,
        initial_indent="# ",
        subsequent_indent="# ",
    )
    prints = [f"print {each}" for each in (excerpt.loss, *excerpt.gradients.values())]
    return "\n".join([head, statements, comment, *prints, ""])

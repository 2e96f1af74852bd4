import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import mgc
from ground_truth import attention, layer_norm, transformer
from ground_truth.chapters import CHAPTERS, staleness, write
from ground_truth.extract import extract
from ground_truth.literal_text import let_lines
from tests.ground_truth.reference import ROOT, Array, deviation, reference

# Rounding differs between the programs and grows from step to step; a wrong derivative is off by
# far more after a single one.
CURVE_TOLERANCE = 1e-9

# Chapter 35 is chaotic: after 40 steps the curves agree to 1e-14, after 60 only to 1e-8.
LONGEST_COMPARABLE = 40

SIX_DIGITS = {
    0: 1.60134,
    1: 1.51356,
    5: 0.625597,
    10: 0.273815,
    25: 0.0903657,
    50: 0.0098207,
    100: 0.00168072,
    200: 0.000522397,
}


def test_the_chapter_programs_are_fresh() -> None:
    assert staleness(ROOT) == "", "python -m ground_truth writes them"


def test_a_file_that_was_edited_or_is_missing_is_stale(tmp_path: Path) -> None:
    write(tmp_path)
    assert staleness(tmp_path) == ""
    edited, missing, _ = [tmp_path / chapter.path for chapter in CHAPTERS.values()]
    edited.write_text(edited.read_text().replace("- 3.0 *", "- 3.1 *", 1))
    missing.unlink()
    difference = staleness(tmp_path)
    assert "-let q1 = q0 - 3.1 * grad_q(x, g, y, q0, wk0, wv0, wo0)\n" in difference
    assert "+let q1 = q0 - 3.0 * grad_q(x, g, y, q0, wk0, wv0, wo0)\n" in difference
    assert "+let h = [[1, 2, 4, 8]]\n" in difference
    assert "transformer" not in difference


def test_a_line_end_of_another_kind_is_stale(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / CHAPTERS["ch34_layer_norm"].path
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "+let h = [[1, 2, 4, 8]]\n" in staleness(tmp_path)


@pytest.fixture(scope="module")
def attention_run() -> list[Array]:
    return mgc.run(attention.program())


def test_chapter_33_trains_as_the_reference_does(attention_run: list[Array]) -> None:
    losses = np.concatenate(attention_run[0::2]).ravel()
    assert losses == pytest.approx(reference("h33").curve, rel=CURVE_TOLERANCE, abs=0)


def test_chapter_33_prints_the_losses_of_the_book(attention_run: list[Array]) -> None:
    losses = {step: float(attention_run[2 * step][0, 0]) for step in SIX_DIGITS}
    assert {step: float(f"{loss:.6g}") for step, loss in losses.items()} == SIX_DIGITS


def test_chapter_33_misses_no_more_labels_than_its_loss_allows(attention_run: list[Array]) -> None:
    # A label that is not the only best one has a probability of 1/2 at most: it costs log 2.
    for loss, accuracy in zip(attention_run[0::2], attention_run[1::2], strict=True):
        assert 1 - loss[0, 0] / math.log(2) <= accuracy[0, 0] <= 1
    assert attention_run[1][0, 0] < 1
    assert attention_run[-1][0, 0] == 1


def test_a_shared_maximum_counts_in_part() -> None:
    logits = [[0, 2, 2, 1, 0], [0, 2, 2, 1, 0], [3, 3, 3, 3, 3]] + [[5, 1, 2, 3, 4]] * 21
    labels = [[0, 0, 1, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1]] + [[1, 0, 0, 0, 0]] * 21
    defs = extract(attention.program(), ["best", "share_right"], "ch33_attention.mg")
    program = f"{defs}{let_lines({'y': labels, 'z': logits})}\nprint share_right(y, z)\n"
    assert mgc.run(program)[0][0, 0] == pytest.approx((1 / 2 + 0 + 1 / 5 + 21) / 24)


def test_chapter_34_finds_its_gradient_again_by_differences() -> None:
    expected = reference("h34")
    loss, derived, measured = mgc.run(layer_norm.program())
    assert loss[0, 0] == pytest.approx(expected.loss, rel=1e-12, abs=0)
    assert deviation(derived, expected.grads["h"]) < 1e-12
    # The step is 1e-4, and the error is of its square.
    assert deviation(measured, expected.grads["h"]) < 1e-8


@pytest.mark.parametrize("steps", [transformer.STEPS, LONGEST_COMPARABLE])
def test_chapter_35_trains_as_the_reference_does(steps: int) -> None:
    losses = np.concatenate(mgc.run(transformer.program(steps))).ravel()
    expected = reference("h35").curve[: steps + 1]
    assert losses == pytest.approx(expected, rel=CURVE_TOLERANCE, abs=0)


@pytest.mark.parametrize(
    "program", [attention.program, transformer.program], ids=["attention", "transformer"]
)
def test_a_shorter_training_is_the_beginning_of_a_longer_one(program: Callable[[int], str]) -> None:
    short = [line for line in program(1).splitlines() if line.startswith(("let", "def"))]
    assert set(short) < set(program(2).splitlines())

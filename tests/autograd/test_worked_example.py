"""The worked example: the published listing, to the byte, and what it prints."""

from pathlib import Path

import mgc
from tests.autograd.numerical import evaluated, transformed
from tests.conftest import ROOT, Golden

EXAMPLE = ROOT / "examples" / "00_worked_example.mg"
LISTING = Path(__file__).parent / "golden" / "00_worked_example.grad.mg"


def gradient_of_example() -> str:
    text = transformed(EXAMPLE.read_text(), "w", "x")
    return text.replace("from test.mg", f"from {EXAMPLE.name}")


def test_the_listing_is_the_published_one(golden: Golden) -> None:
    golden(LISTING, gradient_of_example())


def test_it_prints_the_loss_and_both_gradients() -> None:
    expected = [[[26]], [[4, 4], [2, 2]], [[0, 0], [6, 14]]]
    assert [array.tolist() for array in evaluated(LISTING.read_text())] == expected
    assert [array.tolist() for array in mgc.run(LISTING)] == expected

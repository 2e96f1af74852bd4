"""Rows and trials as tests write them."""

from mutants.matrix import Cell, Outcome, Row
from mutants.trial import Trial

TRIALS = [
    Trial("slopes", "small", 1, "Slopes are right"),
    Trial("slopes", "chapter", 1, "Slopes are right"),
    Trial("by-hand", "chapter", 3, "Both are the same"),
    Trial("random", "random", 8, "Random programs"),
]
LETTERS = {
    "V": Outcome.VALUE,
    "R": Outcome.REFUSAL,
    "C": Outcome.CRASH,
    "T": Outcome.TIMEOUT,
    "p": Outcome.PASS,
    ".": Outcome.SAME,
}


def row(name: str, letters: str, kind: str = "hand", problem: str = "") -> Row:
    """Return a row with a cell for each letter."""
    cells = {
        trial.id: Cell(LETTERS[letter], "" if letter == "." else f"{letter} of {trial.id}")
        for trial, letter in zip(TRIALS, letters, strict=False)
    }
    return Row(name, f"what {name} does", kind, "", cells, 0.5, problem)

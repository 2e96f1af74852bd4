"""A small tool and small checks of it, to try the machinery on."""

import json
from pathlib import Path

from checks.subject import Refusal, WrongSubject
from checks.verdict import Verdict
from mutants.trial import Trial

RIGHT = """
def gradient(x):
    return f"2 * {x}"

def descent(x):
    return f"{x} - {gradient(x)}"
"""


class Tool:
    """What a folder's `tool.py` defines, as methods."""

    def __init__(self, folder: Path) -> None:
        names: dict = {"Refusal": Refusal}
        file = folder / "tool.py"
        exec(compile(file.read_text(), str(file.resolve()), "exec"), names)  # noqa: S102 - a copy is code
        self.gradient = names["gradient"]
        self.descent = names["descent"]
        if "proof" in names:
            raise WrongSubject("it was loaded from elsewhere")

    def forget(self) -> None:
        """It remembers nothing."""

    def posed(self, request: object) -> None:
        """It poses nothing."""


class Suite:
    """Checks that the gradient of x * x is right at 3 and at 4, and one step of descent."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.version = "1"
        self.trials = [
            Trial("slope", "three", 1, "The slope is right"),
            Trial("slope", "four", 1, "The slope is right"),
            Trial("step", "three", 4, "A step goes down"),
            Trial("step", "five", 4, "A step goes down"),
        ]

    def home(self, folder: Path) -> Path:
        return folder

    def load(self, folder: Path) -> Tool:
        return Tool(folder)

    def run(self, trial: Trial, subject: object) -> Verdict | None:
        self.ran.append(trial.id)
        assert hasattr(subject, "gradient")
        if trial.item == "five":
            return None
        if trial.check == "slope":
            x = {"three": 3, "four": 4}[trial.item]
            return self._verdict(trial, subject.gradient(x), 2.0 * x)  # type: ignore[attr-defined]
        first = subject.gradient(3)  # type: ignore[attr-defined]
        return self._verdict(trial, subject.descent(len(first)), -5.0)  # type: ignore[attr-defined]

    def _verdict(self, trial: Trial, answer: object, expected: float) -> Verdict:
        cause, value = "", 0.0
        if isinstance(answer, Refusal):
            cause, detail = "refused", answer.message
        else:
            try:
                value = float(eval(str(answer)))  # noqa: S307 - an expression of a copy above
                detail = f"x: {value}, expected {expected}"
                cause = "" if value == expected else "value"
            except SyntaxError:
                cause, detail = "not a program", "syntax error"
        error = abs(value - expected)
        return Verdict(
            id=trial.check,
            group=trial.group,
            title=trial.title,
            program=trial.item,
            passed=not cause,
            elements=1,
            worst=error,
            tolerance=0.0,
            reason="exact",
            detail=detail,
            seconds=0.0,
            cause=cause,
        )


def write_copy(folder: Path, text: str, kind: str = "hand") -> Path:
    """Write a copy of the tool with its manifest and diff."""
    folder.mkdir(parents=True)
    (folder / "tool.py").write_text(text)
    manifest = {"id": folder.name, "title": f"the copy {folder.name}", "kind": kind}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "mutant.diff").write_text("")
    return folder

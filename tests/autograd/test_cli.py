"""The `autograd` command: its output, its messages and its exit statuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

EXAMPLE = "examples/00_worked_example.mg"
LISTING = (ROOT / "tests" / "autograd" / "golden" / "00_worked_example.grad.mg").read_text()
MGC = str(Path(sys.executable).with_name("mgc"))


def autograd(
    *arguments: str, stdin: bytes = b"", mgc: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "MGC"}
    if mgc is not None:
        environment["MGC"] = mgc
    run = subprocess.run(
        [sys.executable, "-m", "autograd", *arguments],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        check=False,
        env=environment,
    )
    output, errors = run.stdout.decode(), run.stderr.decode()
    return subprocess.CompletedProcess(run.args, run.returncode, output, errors)


def test_it_prints_the_gradient_program() -> None:
    run = autograd(EXAMPLE, "--wrt", "w,x")
    assert (run.returncode, run.stdout, run.stderr) == (0, LISTING, "")


def test_spaces_around_names_are_allowed() -> None:
    assert autograd(EXAMPLE, "--wrt", "w, x").stdout == LISTING


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_a_dash_is_standard_input(bom: bytes) -> None:
    source = bom + (ROOT / EXAMPLE).read_bytes()
    run = autograd("-", "--wrt", "w,x", stdin=source)
    assert run.stdout == LISTING.replace("00_worked_example.mg", "<stdin>")


def test_output_goes_to_a_file_as_a_whole(tmp_path: Path) -> None:
    output = tmp_path / "gradient.mg"
    run = autograd(EXAMPLE, "--wrt", "w,x", "-o", str(output))
    assert (run.returncode, run.stdout, output.read_text()) == (0, "", LISTING)
    failed = autograd(EXAMPLE, "--wrt", "nothing", "-o", str(output))
    assert (failed.returncode, output.read_text()) == (1, LISTING)
    assert list(tmp_path.iterdir()) == [output]


def test_an_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    run = autograd(EXAMPLE, "--wrt", "w", "-o", str(tmp_path / "absent" / "gradient.mg"))
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert line.startswith("autograd: ")
    assert "No such file or directory" in line


@pytest.mark.parametrize("how", ["option", "environment"])
def test_an_external_compiler_is_asked_for_the_ir(how: str) -> None:
    """The bundled compiler in a process of its own stands for any other `mgc`."""
    if how == "option":
        run = autograd(EXAMPLE, "--wrt", "w,x", "--mgc", MGC)
    else:
        run = autograd(EXAMPLE, "--wrt", "w,x", mgc=MGC)
    assert run.stdout == LISTING
    piped = autograd("-", "--wrt", "w,x", "--mgc", MGC, stdin=(ROOT / EXAMPLE).read_bytes())
    assert piped.stdout == LISTING.replace("00_worked_example.mg", "<stdin>")


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        ("echo 'prog.mg:3: error: no such thing' >&2; exit 1", 1, "refuses the program: prog.mg:3"),
        ("exit 3", 1, "refuses the program: exit status 3"),
        ("echo 'func.func @main() -> i32 {'", 1, ":1: error: IR: the '{' of @main is never"),
        ("echo 'nonsense'", 1, ":1: error: IR: `func.func @NAME(...) -> TYPE {` is wanted here"),
    ],
)
def test_what_an_external_compiler_does_wrong_is_one_line(
    tmp_path: Path, text: str, status: int, message: str
) -> None:
    run = autograd(EXAMPLE, "--wrt", "w", "--mgc", script(tmp_path / "mgc", text))
    assert (run.returncode, run.stdout) == (status, "")
    (line,) = run.stderr.splitlines()
    assert message in line


def test_a_compiler_that_is_not_there_is_one_line() -> None:
    run = autograd(EXAMPLE, "--wrt", "w", "--mgc", "/absent/mgc")
    message = "autograd: cannot run the compiler /absent/mgc: No such file or directory\n"
    assert (run.returncode, run.stderr) == (2, message)


def test_descent() -> None:
    arguments = (EXAMPLE, "--wrt", "w", "--descend", "2", "--lr", "0.25")
    program = autograd(*arguments).stdout
    assert "2 steps of gradient descent on w at learning rate 0.25" in program
    assert program.count("\nprint ") == 3
    assert autograd(*arguments, "--print-params").stdout.count("\nprint ") == 4


def test_forward_mode() -> None:
    program = autograd(
        EXAMPLE, "--wrt", "w, x", "--jvp", "[[1, 0], [0, -2]]; [[0, 1], [0, 0]]"
    ).stdout
    assert "prints the loss, then its derivative along the given direction in w, x" in program
    assert "let t6 = [[1.0, 0.0], [0.0, -2.0]]\nlet t7 = [[0.0, 1.0], [0.0, 0.0]]\n" in program


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ((EXAMPLE, "--wrt", "q"), 1, f"{EXAMPLE}: error: there is no let 'q' (the lets are: x, w)"),
        ((EXAMPLE, "--wrt", "w", "--loss", "1"), 1, f"{EXAMPLE}: error: there is no print 1 to be"),
        (("absent.mg", "--wrt", "w"), 1, "absent.mg: error: cannot read the program: No such file"),
        (("examples", "--wrt", "w"), 1, "examples: error: cannot read the program: Is a directory"),
        ((EXAMPLE,), 2, "the following arguments are required: --wrt"),
        ((EXAMPLE, "--wrt", "w,,x"), 2, "an empty name in 'w,,x'"),
        ((EXAMPLE, "--wrt", "w", "--loss", "-1"), 2, "'-1' is not a whole number from 0 on"),
        ((EXAMPLE, "--wrt", "w", "--descend", "3"), 2, "--descend needs a learning rate: --lr X"),
        (
            (EXAMPLE, "--wrt", "w", "--lr", "3"),
            2,
            "--lr and --print-params go with --descend STEPS",
        ),
        (
            (EXAMPLE, "--wrt", "w", "--descend", "1", "--lr", "nan"),
            2,
            "'nan' is not a number above",
        ),
        ((EXAMPLE, "--wrt", "w", "--unused", "one"), 2, "invalid choice: 'one'"),
        ((EXAMPLE, "--wrt", "w", "--jvp", "[1, 0]"), 2, "a matrix is rows in brackets, as in [[1"),
        ((EXAMPLE, "--wrt", "w", "--jvp", "[[1]] 2"), 2, "the matrix should end before '2'"),
        ((EXAMPLE, "--wrt", "w", "--jvp", ""), 2, "a matrix is written [[1, 2], [3, 4]], not the"),
        (
            (EXAMPLE, "--wrt", "w", "--jvp", "[[1]]"),
            1,
            "the direction of 'w' is 1x1, the matrix 2x2",
        ),
        (
            (EXAMPLE, "--wrt", "w", "--jvp", "[[1]]", "--descend", "1", "--lr", "1"),
            2,
            "--descend and --jvp ask for different programs",
        ),
        (("compare", EXAMPLE, "--wrt", "w", "-o", "x"), 2, "unrecognized arguments: -o x"),
        (("compare", EXAMPLE, "--wrt", "w"), 1, "0 matrices follow the loss, but 1 gradients"),
    ],
)
def test_a_fault_is_one_line_on_stderr(
    arguments: tuple[str, ...], status: int, message: str
) -> None:
    run = autograd(*arguments)
    assert (run.returncode, run.stdout) == (status, "")
    assert message in run.stderr.splitlines()[-1]


def test_a_fault_in_the_program_has_its_line(tmp_path: Path) -> None:
    program = tmp_path / "bad.mg"
    program.write_text("let w = [[1]]\nprint w + y\n")
    run = autograd(str(program), "--wrt", "w")
    assert run.stderr == f"{program}:2: error: unknown name 'y' (column 11)\n"


def test_standard_input_that_is_not_text_is_one_line() -> None:
    run = autograd("-", "--wrt", "w", stdin=b"let w = [[1]] # \xff")
    message = "<stdin>:1: error: the program is not UTF-8 text: it has the byte 0xff (column 17)\n"
    assert (run.returncode, run.stderr) == (1, message)


def test_compare_exits_by_what_it_finds(tmp_path: Path) -> None:
    right = "examples/h34_layer_norm.mg"
    assert autograd("compare", right, "--wrt", "h").returncode == 0
    wrong = tmp_path / "wrong.mg"
    text = (ROOT / right).read_text()
    wrong.write_text(text.replace("let d_h = (", "let d_h = 2 * ("))
    run = autograd("compare", str(wrong), "--wrt", "h", "--json")
    assert (run.returncode, json.loads(run.stdout)["passed"]) == (1, False)
    assert "a factor of 2 too much" in autograd("compare", str(wrong), "--wrt", "h").stdout


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), ("--wrt", "--loss", "--mgc", "-o FILE", "--unused", "--jvp", "--descend", "compare")),
        (("compare",), ("--wrt", "--loss", "--mgc", "--json")),
    ],
)
def test_help_names_every_option(arguments: tuple[str, ...], options: tuple[str, ...]) -> None:
    text = autograd(*arguments, "--help").stdout
    assert "exit status" in text
    assert [option for option in options if option not in text] == []

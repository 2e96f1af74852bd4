"""The `mgc` command: what goes to which stream, and the exit status."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mgc.cli import main
from mgc.compile import compile_source
from mgc.ir_text import ir_text

TRAPPED = "def f(a: tensor[?x?]) = a @ a\nprint [[7]]\nprint f([[1, 2]])\nprint [[8]]\n"
ADDRESS = re.compile(r"0x[0-9a-f]+")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MGC_KEEP", raising=False)


def write(source: str | bytes, name: str = "a.mg") -> str:
    Path(name).write_bytes(source if isinstance(source, bytes) else source.encode())
    return name


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Return the exit status and both streams of a command, run in this process."""
    try:
        status = main(list(arguments))
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 1
    out, err = capsys.readouterr()
    return status, out, err


# ---- mlir


def test_mlir_prints_the_ir_text(capsys: pytest.CaptureFixture[str]) -> None:
    source = "let a = [[1, 2]]\nprint a + a\n"
    status, out, err = run(capsys, "mlir", write(source))
    assert (status, err) == (0, "")
    assert out == ir_text(compile_source(source, "a.mg"))


@pytest.mark.parametrize(
    "source",
    [
        b"print [[1]]\r\nprint [[2]]\r\n",
        b"\xef\xbb\xbfprint [[1]]\nprint [[2]]\n",
        b"print [[1]] # \xc3\xa9\nprint [[2]]",
        b"\n\n\tprint [[1]]   \n   print [[2]]   ",
    ],
    ids=["CRLF", "BOM", "UTF-8 comment", "blanks"],
)
def test_text_is_read_as_editors_write_it(
    source: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = run(capsys, "mlir", write("print [[1]]\nprint [[2]]\n", "plain.mg"))
    assert run(capsys, "mlir", write(source)) == plain


@pytest.mark.parametrize("command", ["mlir", "run"])
def test_a_fault_is_one_line_on_stderr_and_status_1(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = "a.mg:2: error: unknown name 'weihgt'; did you mean 'weight'? (column 7)\n"
    program = write("let weight = [[1]]\nprint weihgt\n")
    assert run(capsys, command, program) == (1, "", fault)


@pytest.mark.parametrize(
    ("source", "place"),
    [
        (b"print [[1]]\nprint \xff\n",
         "2: error: the program is not UTF-8 text: it has the byte 0xff (column 7)"),
        (b"\xef\xbb\xbf# \xc3\xa9 \xe9\n",
         "1: error: the program is not UTF-8 text: it has the byte 0xe9 (column 5)"),
        (b"print \xef\xbb\xbf[[1]]\n",
         r"1: error: an expression is wanted, not '\ufeff' (column 7)"),
        (b"print [[1]]\0\n",
         r"1: error: the statement should end before '\x00' (column 12)"),
        ("# a".encode("utf-16"),
         "1: error: the program is not UTF-8 text: it has the byte 0xff (column 1)"),
    ],
    ids=["byte", "byte after BOM", "BOM inside", "NUL", "UTF-16"],
)  # fmt: skip
def test_bytes_that_are_no_program(
    source: bytes, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "mlir", write(source)) == (1, "", f"a.mg:{place}\n")


def test_a_file_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder.mg").mkdir()
    assert run(capsys, "mlir", "none.mg") == (
        1,
        "",
        "none.mg: error: cannot read the program: No such file or directory\n",
    )
    assert run(capsys, "mlir", "folder.mg") == (
        1,
        "",
        "folder.mg: error: cannot read the program: Is a directory\n",
    )


# ---- run and build


@pytest.mark.parametrize("source", ["", "# nothing\n", "\n\n", "def f(a: tensor[1x1]) = a\n"])
def test_a_program_without_a_print_prints_nothing(
    source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "run", write(source)) == (0, "", "")


def test_run_prints_as_the_runner_library_does(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "run", write("print [[4, 0.1], [2e20, -1]]\nprint [[1]] / 3\n"))
    assert (status, err) == (0, "")
    assert ADDRESS.sub("0x", out) == (
        "Unranked Memref base@ = 0x rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data = \n"
        "[[4,   0.1], \n [2e+20,   -1]]\n"
        "Unranked Memref base@ = 0x rank = 2 offset = 0 sizes = [1, 1] strides = [1, 1] data = \n"
        "[[0.333333]]\n"
    )


@pytest.mark.parametrize("options", [["--digits", "17"], ["-O3", "--digits=17"], ["-O", "1"]])
def test_options_of_run(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "run", *options, write("print [[1]] / 3\n"))
    digits = "[[0.33333333333333331]]" if "17" in " ".join(options) else "[[0.333333]]"
    assert (status, out.splitlines()[1]) == (0, digits)


def test_a_mismatch_at_run_time_comes_after_what_was_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = run(capsys, "run", write(TRAPPED))
    assert status == 1
    assert out.splitlines()[1:] == ["[[7]]"]
    assert err == (
        "a.mg:1: error: 1x2 @ 1x2 does not fit: 2 columns on the left, 1 rows on the right; "
        "this only shows when the program runs (column 27)\n"
    )


def test_mgc_keep_names_the_folder_for_intermediate_files(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MGC_KEEP", "kept/here")
    program = write("print [[1]]\n", "prog.mg")
    assert run(capsys, "run", program)[0] == 0
    monkeypatch.delenv("MGC_KEEP")
    assert Path("kept/here/prog.mlir").read_text() == run(capsys, "mlir", program)[1]


def test_an_executable_prints_what_run_prints(capsys: pytest.CaptureFixture[str]) -> None:
    program = write(TRAPPED, "prog.mg")
    _, out, err = run(capsys, "run", program)
    assert run(capsys, "build", program) == (0, "", "")
    assert run(capsys, "build", program, "-o", "other", "-O2") == (0, "", "")
    for executable in ("./prog", "./other"):
        ran = subprocess.run([executable], check=False, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (1, err)
        assert ADDRESS.sub("0x", ran.stdout) == ADDRESS.sub("0x", out)


def test_build_without_a_compiler_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    status, out, err = run(capsys, "build", write("print [[1]]\n"))
    assert (status, out) == (2, "")
    assert err.startswith("mgc: cc is not installed")
    assert len(err.splitlines()) == 1


def test_build_does_not_overwrite_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    program = write("print [[1]]\n", "prog")
    assert run(capsys, "build", program)[0] == 2
    assert Path("prog").read_text() == "print [[1]]\n"


# ---- the command line itself


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["mlir"],
        ["compile", "a.mg"],
        ["mlir", "a.mg", "b.mg"],
        ["mlir", "-O1", "a.mg"],
        ["run", "-O4", "a.mg"],
        ["run", "-Ofast", "a.mg"],
        ["build", "a.mg", "-o"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_is_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    write("print [[1]]\n")
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: mgc")


@pytest.mark.parametrize("digits", ["0", "18", "-1", "many", "6.0", "9" * 5000])
def test_a_bad_number_of_digits_is_told_the_range(
    digits: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(capsys, "run", f"--digits={digits}", "a.mg")
    assert status == 2
    assert err.endswith(f"argument --digits: '{digits}' is not a whole number from 1 to 17\n")


def test_help_names_every_command_option_variable_and_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, err = run(capsys, "--help")
    assert (status, err) == (0, "")
    for word in ("mlir", "run", "build", "MGC_KEEP", "exit status: 0", " 1 the", " 2 the"):
        assert word in out
    _, out, _ = run(capsys, "run", "--help")
    for word in ("PROG.mg", "-O", "-O0", "-O3", "--digits"):
        assert word in out
    _, out, _ = run(capsys, "build", "--help")
    for word in ("PROG.mg", "-O", "-o EXE"):
        assert word in out


@pytest.mark.parametrize(
    ("arguments", "status"), [(["mlir", "a.mg"], 0), (["mlir", "b.mg"], 1), (["mlir"], 2)]
)
def test_the_module_is_the_command(arguments: list[str], status: int) -> None:
    write("print [[1]]\n")
    ran = subprocess.run(
        [sys.executable, "-m", "mgc", *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert ran.returncode == status
    assert bool(ran.stdout) == (status == 0)
    assert bool(ran.stderr) == (status != 0)


def test_a_reader_that_has_gone_is_no_traceback() -> None:
    write("print [[" + ", ".join(["0.5"] * 100_000) + "]]\n")
    command = f"'{sys.executable}' -m mgc mlir a.mg | head -c 1"
    ran = subprocess.run(
        ["sh", "-c", command],
        check=False,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"},
    )
    assert (ran.stdout, ran.stderr) == ("f", "")

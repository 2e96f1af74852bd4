"""Executables: they print what the program prints, and a failed build leaves nothing behind."""

from __future__ import annotations

import math
import platform
import re
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import llvmlite.binding as llvm
import pytest

from mgc import ops
from mgc.aot import ToolError, build_executable
from mgc.jit import run_native
from mgc.lower.kernels import kernels_text
from mgc.lower.machine_code import PORTABLE_LANES, portable_machine
from mgc.lower.routines import lower
from mgc.memref_text import memref_text
from tests.mgc.static_modules import Body
from tests.mgc.test_native import every_op

if TYPE_CHECKING:
    from mgc.lower.machine_code import Level
    from mgc.specialize import StaticProgram


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def without_addresses(text: str) -> str:
    return re.sub("base@ = 0x[0-9a-f]+", "base@ = 0x0", text)


def executed(executable: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([executable], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("level", [0, 2])
def test_an_executable_prints_what_the_program_prints(level: Level, tmp_path: Path) -> None:
    program = every_op()
    build_executable(program, level, tmp_path / "exe", None)
    done = executed(tmp_path / "exe")
    expected = "".join(memref_text(printed, 0) for printed in run_native(program, level))
    # No rule of arithmetic says which sign NaN has where several meet.
    assert without_addresses(done.stdout).replace("-nan", "nan") == expected.replace("-nan", "nan")
    assert (done.stderr, done.returncode) == ("", 0)
    assert names(tmp_path) == ["exe"]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the registers are those of x86-64")
def test_executables_run_on_machines_without_avx() -> None:
    text = kernels_text(lower(every_op().module).kernels, PORTABLE_LANES)
    machine = portable_machine(2)
    with (
        closing(llvm.create_context()) as context,
        closing(llvm.parse_assembly(text, context)) as module,
    ):
        module.triple = machine.triple
        assembly = machine.emit_assembly(module)
    assert re.findall("%xmm0", assembly)
    assert re.findall("%[yz]mm|vfm", assembly) == []


def small_program(trap: str | None = None) -> StaticProgram:
    body = Body()
    body.print(body.apply(ops.NEG, body.constant((1, 3), [1.0, -math.nan, math.nan])))
    return body.program(trap=trap)


def test_an_executable_stops_with_the_message_after_what_came_before(tmp_path: Path) -> None:
    build_executable(small_program("é.mg:3: error: 2x3 @ 4x5"), 0, tmp_path / "exe", None)
    done = executed(tmp_path / "exe")
    assert done.stdout.endswith("data = \n[[-1,   nan,   -nan]]\n")
    assert (done.stderr, done.returncode) == ("é.mg:3: error: 2x3 @ 4x5\n", 1)


def test_an_executable_of_nothing_prints_nothing(tmp_path: Path) -> None:
    build_executable(Body().program(), 0, tmp_path / "exe", None)
    done = executed(tmp_path / "exe")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_an_executable_says_when_it_cannot_print(tmp_path: Path) -> None:
    build_executable(small_program(), 0, tmp_path / "exe", None)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [tmp_path / "exe"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.stderr, done.returncode) == (
        "error: standard output: No space left on device\n",
        1,
    )


def test_keep_holds_every_intermediate_file(tmp_path: Path) -> None:
    keep = tmp_path / "keep"
    keep.mkdir()
    build_executable(small_program(), 0, tmp_path / "exe", keep)
    assert names(keep) == ["kernels.ll", "kernels.o", "main.c", "main.ll", "main.o"]
    relinked = ["cc", *(str(keep / name) for name in ("main.c", "main.o", "kernels.o")), "-lm"]
    subprocess.run([*relinked, "-o", tmp_path / "again"], check=True)
    again, exe = (without_addresses(executed(tmp_path / name).stdout) for name in ("again", "exe"))
    assert again == exe


def fake_cc(folder: Path, script: str) -> str:
    """Make a `cc` that runs this script; return the PATH on which it is the only command."""
    folder.mkdir()
    cc = folder / "cc"
    cc.write_text(f"#!/bin/sh\n{script}\n")
    cc.chmod(0o755)
    return str(folder)


def test_no_cc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolError, match=r"^cc is not installed: apt-get install gcc$"):
        build_executable(small_program(), 0, tmp_path / "exe", None)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'ld: main.o: in f:\nld: undefined x\ncollect2: error: ld' >&2; exit 1",
         "cc failed: ld: undefined x"),
        ("echo 'main.c:3:9: fatal error: no stdio.h\nmore' >&2; exit 1",
         "cc failed: main.c:3:9: fatal error: no stdio.h"),
        ("exit 7", "cc failed: status 7"),
    ],
)  # fmt: skip
def test_cc_fails(
    script: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", fake_cc(tmp_path / "bin", script))
    with pytest.raises(ToolError) as caught:
        build_executable(small_program(), 0, tmp_path / "exe", None)
    assert str(caught.value) == message
    assert names(tmp_path) == ["bin"]


def test_the_output_cannot_be_written(tmp_path: Path) -> None:
    output = tmp_path / "missing" / "exe"
    with pytest.raises(ToolError) as caught:
        build_executable(small_program(), 0, output, None)
    assert str(caught.value) == f"cannot write {output}: No such file or directory"


def test_the_output_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "exe").mkdir()
    with pytest.raises(ToolError) as caught:
        build_executable(small_program(), 0, tmp_path / "exe", None)
    assert str(caught.value) == f"cannot write {tmp_path / 'exe'}: Is a directory"
    assert names(tmp_path) == ["exe"]


def test_the_kept_files_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ToolError) as caught:
        build_executable(small_program(), 0, tmp_path / "exe", tmp_path / "keep")
    assert str(caught.value) == f"cannot write {tmp_path / 'keep'}: No such file or directory"


def test_an_interrupt_leaves_the_old_executable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "exe").write_text("old")
    monkeypatch.setattr(subprocess, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_executable(small_program(), 0, tmp_path / "exe", None)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("exe", "old")]

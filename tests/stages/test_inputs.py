"""What makes an artifact reads what the artifact declares, and nothing else of the project."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT
from tests.stages.graph_copy import PACKAGES

WATCHED = Path(__file__).with_name("watched")

ALLOWED = {
    "basis:baseline": ["mutants/cover.py"],
    "row:m08-neg-sign": ["mutants/cover.py"],
}
"""What is read, and has no influence on a row: it sums rows up."""

UNDECLARED = """
import subprocess
import sys
from functools import partial
from pathlib import Path

from pipeline.child import in_child
from pipeline.spec import Artifact, Command


def directly(job):
    job.targets[0].write_text(Path("hidden/directly").read_text())


def in_a_fork(job):
    in_child(partial(directly, job), job.log, 60)


def by_import(job):
    import hidden.by_import
    job.targets[0].write_text(hidden.by_import.TEXT)


def by_another_program(job):
    done = subprocess.run(["cat", "hidden/by_another_program"], capture_output=True, check=True)
    job.targets[0].write_bytes(done.stdout)


READ = "from pathlib import Path; print(Path('hidden/directly').read_text())"


def good(job):
    assert Path(job.inputs[0]).read_text() == "text"
    job.targets[0].write_text("good")


def specs():
    command = Command((sys.executable, "-c", READ), 60, "out/by_python")
    made = {each.__name__: each for each in (good, directly, in_a_fork, by_import,
                                             by_another_program)}
    for name, make in {**made, "by_python": command}.items():
        yield Artifact(name=f"make:{name}", doc="Make it.", make=make, inputs=("given",),
                       targets=(f"out/{name}",))
"""


def undeclared(folder: Path, module: str) -> dict[str, list[str]]:
    """Make the artifacts that a module in a copy of the project names; return what each hides."""
    for file in WATCHED.glob("*.py"):
        shutil.copy(file, folder)
    done = subprocess.run(
        [sys.executable, "make_watched.py", module],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "PIPELINE_NO_CACHE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def test_what_is_read_is_declared(tmp_path: Path) -> None:
    for name in (*PACKAGES, "docs", "examples", "generated"):
        ignored = shutil.ignore_patterns("__pycache__", "build")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    shutil.copy(ROOT / "pipeline.yaml", tmp_path)
    found = undeclared(tmp_path, "kinds")
    assert {name: files for name, files in found.items() if files} == ALLOWED


def test_what_is_not_declared_is_found(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "pipeline", tmp_path / "pipeline")
    (tmp_path / "hidden").mkdir()
    for name in ("directly", "by_another_program"):
        (tmp_path / "hidden" / name).write_text("text")
    (tmp_path / "hidden" / "by_import.py").write_text("TEXT = 'text'")
    (tmp_path / "given").write_text("text")
    (tmp_path / "undeclared.py").write_text(UNDECLARED)
    assert undeclared(tmp_path, "undeclared") == {
        "make:good": [],
        "make:directly": ["hidden/directly"],
        "make:in_a_fork": ["hidden/directly"],
        "make:by_import": ["hidden/by_import.py"],
        "make:by_another_program": ["hidden/by_another_program"],
        "make:by_python": ["hidden/directly"],
    }

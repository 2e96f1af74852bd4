"""The stage of wrong copies, on a graph whose only program is a small one."""

import ast
import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pipeline.errors import MakeError
from stages import copies, mutants
from tests.pipeline.doit_project import Project
from tests.stages.graph_copy import copy_of_the_graph

ROOT = Path(__file__).parents[2]
PIPELINE = """\
version: 1
programs:
  - name: small
    source: small.mg
    wrt: [w]
"""
PROGRAM = "let w = [[0.5, 1.5]]\nprint row_sum(exp(w) * [[2, 3]])\n"
MUTANT = "m13-exp-input"
ROW = f"generated/build/mutants/{MUTANT}/row.json"


@pytest.fixture
def graph(tmp_path: Path) -> Project:
    return copy_of_the_graph(tmp_path, PIPELINE, PROGRAM)


def edit(graph: Project, file: str, old: str, new: str) -> None:
    text = graph.read(file)
    assert text.count(old) == 1
    (graph.root / file).write_text(text.replace(old, new))


def test_a_wrong_copy_is_caught_and_only_what_means_something_else_is_run_again(
    graph: Project,
) -> None:
    printed = graph.doit(f"mutate:{MUTANT}")
    assert "exp: the gradient uses the input, not the result   by value" in printed
    assert "baseline: pass" in printed
    assert printed.endswith("5 artifacts: 5 made, 0 up to date\n")
    [row] = json.loads(graph.read(ROW))["rows"]
    assert row["id"] == MUTANT
    assert row["cells"]["complex-step:small"][0] == "value"
    before = graph.read(ROW)

    assert graph.doit(f"mutate:{MUTANT}").endswith("5 artifacts: all up to date\n")
    edit(graph, "autograd/rules.py", "@vjp(ops.EXP)", "# A comment.\n@vjp(ops.EXP)")
    assert graph.doit(f"mutate:{MUTANT}").endswith("5 artifacts: 2 made, 3 up to date\n")
    copy = graph.read(f"generated/build/mutants/{MUTANT}/autograd/rules.py")
    assert "# A comment.\n@vjp(ops.EXP)" in copy
    assert graph.read(ROW) == before

    # A file of the copy that was edited is written again, and no verdict is taken from it.
    file = graph.root / f"generated/build/mutants/{MUTANT}/autograd/rules.py"
    file.chmod(0o644)
    file.write_text("1 / 0\n")
    assert graph.doit(f"mutate:{MUTANT}").endswith("5 artifacts: 1 made, 4 up to date\n")
    assert file.read_text() == copy


def test_a_file_that_copies_share_is_never_that_of_autograd_and_is_made_again(
    graph: Project,
) -> None:
    names = MUTANT, "m14-log-multiplies"
    graph.doit(*(f"copy:{name}" for name in names))
    original = (graph.root / "autograd/emit.py").read_text()
    one, other = (graph.root / f"generated/build/mutants/{name}/autograd/emit.py" for name in names)
    assert one.samefile(other)
    assert not one.samefile(graph.root / "autograd/emit.py")
    assert one.stat().st_mode & 0o777 == 0o444
    changed = one.with_name("rules.py"), other.with_name("rules.py")
    assert not changed[0].samefile(changed[1])

    one.chmod(0o644)
    one.write_text("1 / 0\n")
    assert (graph.root / "autograd/emit.py").read_text() == original
    printed = graph.doit(*(f"copy:{name}" for name in names))
    assert printed.endswith("3 artifacts: 3 made, 0 up to date\n")
    assert one.read_text() == other.read_text() == original


def test_nothing_is_said_of_copies_of_an_original_that_fails(graph: Project) -> None:
    edit(graph, "autograd/rules.py", "return ct / x", "return ct / x * 1.5")
    printed = graph.doit(f"mutate:{MUTANT}", status=2)
    assert "baseline: fail: the original fails " in printed
    assert f"failed: mutate:{MUTANT}: {MUTANT}: the original fails " in printed


def test_a_pattern_that_does_not_match_is_an_error_naming_the_mutant(graph: Project) -> None:
    edit(graph, "autograd/rules.py", "return ct * out", "return out * ct")
    printed = graph.doit(f"copy:{MUTANT}", status=2)
    assert f"failed: copy:{MUTANT}: {MUTANT} (rules.py, rule:exp(ct, out)): the pattern" in printed


def test_two_mutants_that_mean_the_same_are_an_error() -> None:
    manifests = [
        {"id": name, "kind": kind, "ast_hash": "1"}
        for name, kind in (("h1", "harmless"), ("h2", "harmless"), ("m1", "hand"), ("m2", "hand"))
    ]
    mutants._prove_distinct(manifests[:3])
    with pytest.raises(MakeError, match="the copy m2 means the same as m1"):
        mutants._prove_distinct(manifests)


def test_a_row_depends_on_the_code_that_runs_copies() -> None:
    """What the nursery imports of its own package is what the rows declare, and no table."""
    # `cover` only sums up, and a mutant itself is in the settings of its copy.
    needed = imported_by("nursery") - {"cover", "spec"}
    assert needed == named(mutants.CODE) | named(copies.COPYING)


def test_a_copy_depends_on_the_code_that_makes_it() -> None:
    assert named(copies.COPYING) == imported_by("copies") - {"spec"}


def named(code: Iterable[str]) -> set[str]:
    return {each.split("/")[1].removesuffix(".py") for each in code if "/" in each}


def imported_by(module: str) -> set[str]:
    """Return the modules of the package that one needs, itself included."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            tree = ast.parse((ROOT / "mutants" / f"{name}.py").read_text())
            imports = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
            modules = [str(each.module) for each in imports]
            waiting += [each.split(".")[1] for each in modules if each.startswith("mutants.")]
    return found


def test_the_generated_mutants_of_a_module_have_a_score(graph: Project) -> None:
    printed = graph.doit("score:provenance")
    assert re.search(r"generated: (\d+) of \1 caught", printed)
    rows = json.loads(graph.read("generated/build/generated_mutants/provenance.json"))["rows"]
    assert len(rows) > 5
    assert {row["kind"] for row in rows} == {"generated"}


def test_no_time_limit_decides_what_is_committed() -> None:
    """A copy near a limit would make the report another one on another machine."""
    report = json.loads((ROOT / mutants.REPORTS[0]).read_text())
    assert report["baseline"] == "pass"
    assert [each["id"] for each in report["mutants"] if each["timeouts"]] == []

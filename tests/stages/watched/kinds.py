"""One artifact of each kind that the graph has, on small programs."""

from pathlib import Path

from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from cost.toolchain import missing
from mutants.hand_written import MUTANTS
from pipeline.config import load
from pipeline.json_schema import schema_artifact
from pipeline.spec import Artifact
from stages import checks, copies, cost, gradients, ground_truth, listings, mutants
from stages.schema import Pipeline

SMALL = "m10_ties_zeros"
COPIED, CHAPTER = "h34_layer_norm", "ch34_layer_norm"
MUTANT = "m08-neg-sign"


# To choose numbers from, Hypothesis reads the source of each module of the project that happens to
# be loaded. It leaves out those between -100 and 100, and no others are drawn for these programs.
providers._get_local_constants = Constants


def specs() -> list[Artifact]:
    """Return the artifacts, each after those that it is made from."""
    pipeline = load(Path("pipeline.yaml"), Pipeline)
    programs = {program.name: program for program in pipeline.programs}
    small, copied = programs[SMALL], programs[COPIED]
    [mutant] = [each for each in MUTANTS if each.id == MUTANT]
    return [
        schema_artifact("editor:schema", Pipeline, "generated/pipeline.schema.json"),
        ground_truth.chapter(CHAPTER),
        ground_truth.excerpt(copied, ""),
        gradients.gradient(small, ""),
        gradients.build(small, ""),
        gradients.output(small, ""),
        checks.verdict(SMALL, [small]),
        checks.verdict("random", [small]),
        copies.original(),
        mutants.suite([small]),
        mutants.baseline([small]),
        copies.copy(mutant),
        mutants.row(mutant, [small]),
        *([] if missing() else [cost.tools(), cost.count(small), cost.report([small])]),
        checks.report([SMALL]),
        mutants.report([mutant]),
        cost.skipped(),
        *listings.descent(pipeline),
        *listings.artifacts(pipeline),
    ]

"""The three artifacts of a program: its gradient program, that as a binary, and what it prints."""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from typing import cast

from pipeline.errors import MakeError
from pipeline.layout import BUILD
from pipeline.process import run
from pipeline.spec import Artifact, Command, Job, Stage
from stages.memref import MemrefError, Nested, elements, parse, shape, without_addresses
from stages.schema import Program

COMPILE_SECONDS = 600
RUN_SECONDS = 60
SHOWN_ELEMENTS = 16
SHOWN_COLUMNS = 6


def gradient(program: Program, compiler: str) -> Artifact:
    """Differentiate a program."""
    target = _source(program)
    wrt = ",".join(program.wrt)
    options = ("--wrt", wrt, "--loss", str(program.loss))
    external = ("--mgc", compiler) if compiler else ()
    return Artifact(
        name=f"gradient:{program.name}",
        doc=f"Write {target}, the gradient of {program.file} wrt {wrt}.",
        make=Command(
            argv=(sys.executable, "-m", "autograd", program.file, *options, *external),
            timeout=COMPILE_SECONDS,
            stdout=target,
        ),
        inputs=(program.file,),
        targets=(target,),
        code=("autograd", "mgc"),
    )


def build(program: Program, compiler: str) -> Artifact:
    """Compile the gradient program to a native executable."""
    source, target = _source(program), _binary(program)
    return Artifact(
        name=f"build:{program.name}",
        doc=f"Build {target} from {source}.",
        make=Command(
            argv=(*_mgc(compiler), "build", source, "-o", target, "-O2"),
            timeout=COMPILE_SECONDS,
        ),
        inputs=(source,),
        targets=(target,),
        code=("mgc",),
        tools={"cc": "apt-get install gcc"},
    )


def output(program: Program, compiler: str) -> Artifact:
    """Run the executable, and keep what it prints and its numbers.

    The numbers are in full precision, except from a compiler of the book, which prints six digits.
    """
    stem = f"generated/{program.name}_grad"
    return Artifact(
        name=f"output:{program.name}",
        doc=f"Run {_binary(program)}; write {stem}.out and {stem}.json.",
        make=write_output,
        inputs=(_source(program), _binary(program)),
        targets=(f"{stem}.out", f"{stem}.json"),
        code=("mgc",),
        config={"program": program.name, "wrt": list(program.wrt), "compiler": compiler},
        stage=GRADIENTS,
        result=f"{stem}.json",
    )


def write_output(job: Job) -> None:
    """Make the targets of `output`."""
    source, binary = job.inputs
    printed, values = job.targets
    text = run([binary], job.log, RUN_SECONDS).decode()
    printed.write_text(without_addresses(text))
    if not job.config["compiler"]:
        argv = [*_mgc(""), "run", "--digits", "17", source]
        text = run(argv, job.log, COMPILE_SECONDS).decode()
    try:
        matrices = parse(text)
    except MemrefError as error:
        message = f"{source} does not print a loss and gradients: {error}"
        raise MakeError(message) from error
    names = cast("Sequence[str]", job.config["wrt"])
    if len(matrices) != 1 + len(names) or shape(matrices[0]) != [1, 1]:
        found = ", ".join("x".join(map(str, shape(each))) for each in matrices) or "nothing"
        message = f"{source} prints {found}; expected a loss of 1x1 and {len(names)} gradients"
        raise MakeError(message)
    loss, *gradients = matrices
    values.write_text(_json(job.config["program"], loss, dict(zip(names, gradients, strict=True))))


def gradient_rows(result: Mapping[str, object]) -> list[list[str]]:
    """Return a row of the table for each gradient; the loss is in the first."""
    gradients = cast("Mapping[str, Nested]", result["gradients"])
    losses = [f"{result['loss']:.6g}"] + [""] * len(gradients)
    return [
        [loss, name, _shown(matrix)]
        for loss, (name, matrix) in zip(losses, gradients.items(), strict=False)
    ]


GRADIENTS = Stage("gradients", ("program", "loss", "wrt", "gradient"), gradient_rows)


def _mgc(compiler: str) -> tuple[str, ...]:
    return (compiler,) if compiler else (sys.executable, "-m", "mgc")


def _source(program: Program) -> str:
    return f"generated/{program.name}_grad.mg"


def _binary(program: Program) -> str:
    return str(BUILD / f"{program.name}_grad")


def _json(program: object, loss: Nested, gradients: Mapping[str, Nested]) -> str:
    """Return the JSON text, with one gradient a line."""
    rows = [f"  {json.dumps(name)}: {json.dumps(matrix)}" for name, matrix in gradients.items()]
    head = f' "program": {json.dumps(program)},\n "loss": {json.dumps(elements(loss)[0])},\n'
    return "{\n" + head + ' "gradients": {\n' + ",\n".join(rows) + "\n }\n}\n"


def _shown(matrix: Nested) -> str:
    """Return a small matrix in full, a row a line, and of a larger one its shape and norm."""
    sizes, numbers = shape(matrix), elements(matrix)
    match sizes:
        case [_, width] if len(numbers) <= SHOWN_ELEMENTS and width <= SHOWN_COLUMNS:
            rows = [numbers[at : at + width] for at in range(0, len(numbers), width)]
            lines = ["[" + ", ".join(f"{number:.6g}" for number in row) + "]" for row in rows]
            return "[" + ",\n ".join(lines) + "]"
        case _:
            return f"{'x'.join(map(str, sizes))}, norm {math.hypot(*numbers):.6g}"

"""What the programs that an artifact is made with are: their versions, asked for once.

What a program says is kept by the identity of its file, so that a run that makes nothing starts
no program.
"""

import functools
import shutil
import subprocess
import sys
from collections.abc import Mapping

from pipeline.digest import canonical, file_digest, file_identity, read_remembered, replace_text
from pipeline.errors import MakeError
from pipeline.layout import DIGESTS

ABSENT = "not on PATH"
SECONDS = 10
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
REMEMBERED = DIGESTS / "tools.json"


@functools.cache
def tool_version(program: str) -> str:
    """Return the first line that `PROGRAM --version` prints, or ABSENT.

    A program that does not answer within SECONDS, or with a failure, is known by its bytes.
    """
    found = shutil.which(program)
    if found is None:
        return ABSENT
    identity = [found, *file_identity(found)]
    known = read_remembered(REMEMBERED)
    match known.get(program):
        case [remembered, str(version)] if remembered == identity:
            return version
    version = _answer(found) or f"sha256 {file_digest(found)}"
    replace_text(REMEMBERED, canonical({**known, program: [identity, version]}))
    return version


def require_tools(tools: Mapping[str, str]) -> None:
    """Raise MakeError naming the first program that is not on PATH and how to install it."""
    for program, install in tools.items():
        if shutil.which(program) is None:
            message = f"{program} is not on PATH; install it with: {install}"
            raise MakeError(message)


def _answer(path: str) -> str:
    """Return the first line of what a program says of its version, nothing if it does not."""
    try:
        said = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return next((line for line in said.stdout.decode(errors="replace").splitlines() if line), "")

"""Documents that show commands and their output, and the replaying of them.

A block of kind `console` holds commands after `$ ` and below each its whole output; the addresses
that `mgc run` prints are written `0x…`, since they differ from run to run.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(console|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESS = re.compile("0x[0-9a-f]+")


def output(command: str, folder: Path) -> str:
    """Return what a command prints, as a reader with the environment activated sees it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ADDRESS.sub("0x…", run.stdout)


def replayed(document: str, folder: Path) -> str:
    """Return the document with every shown output replaced by the real one.

    A block of kind `diff` is applied to the folder when it is reached.
    """

    def block(match: re.Match[str]) -> str:
        kind, text = match.groups()
        if kind == "diff":
            patch = ["git", "apply", "-"]
            subprocess.run(patch, cwd=folder, input=text, text=True, check=True)
            return match[0]
        commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
        shown = "".join(f"$ {command}\n{output(command, folder)}" for command in commands)
        return f"```console\n{shown}```"

    return BLOCK.sub(block, document)

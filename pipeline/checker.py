"""How doit compares input files: by the digests that are remembered, so none is read twice."""

import os

from doit.dependency import FileChangedChecker

from pipeline.digest import file_digest, file_state


class DigestChecker(FileChangedChecker):
    """The class to name in DOIT_CONFIG["check_file_uptodate"]."""

    def exists(self, file_path: str) -> bool:
        """Say whether a file is there."""
        try:
            file_state(file_path)
        except OSError:
            return False
        return True

    def info(self, file_path: str) -> os.stat_result:
        """Return what doit passes to `check_modified`; raises OSError."""
        return file_state(file_path)

    def check_modified(self, file_path: str, file_stat: os.stat_result, state: str) -> bool:
        """Compare a file with what `get_state` returned when the task was done."""
        del file_stat
        return file_digest(file_path) != state

    def get_state(self, dep: str, current_state: str | None) -> str | None:
        """Return what to keep of a file, None if that is kept already."""
        digest = file_digest(dep)
        return None if digest == current_state else digest

"""What a run of doit needs around it: the reporter begins and ends it."""

import shutil
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, cast

from doit.globals import Globals

from pipeline.cache import trim_cache
from pipeline.digest import save_digests
from pipeline.layout import ROOMS
from pipeline.lifetime import tie_workers_to_this_process
from pipeline.lock import hold_run_lock
from pipeline.manifest import Pruned, prune
from pipeline.state import DurableDB

if TYPE_CHECKING:
    from doit.dependency import Dependency
    from doit.task import Task


class ExclusiveRun:
    """A run that has begun; no other can begin before this process has ended."""

    def __init__(self) -> None:
        """Begin, before any task is looked at; raises RunLockedError if another run is at work."""
        hold_run_lock()
        tie_workers_to_this_process()
        shutil.rmtree(ROOMS, ignore_errors=True)  # of runs that were killed

    def end(
        self, tasks: "Collection[Task]", owned: Sequence[str], *, made: bool, succeeded: bool
    ) -> Pruned:
        """Tidy up once the last task is settled and doit has closed its database.

        `made` says whether anything was made; `tasks` are all of dodo.py, whichever were selected.
        If the run succeeded, what none of them makes any more is removed from the `owned` folders:
        as far as the backend is DurableDB, since no other knows what was made.
        """
        save_digests()
        if made:
            trim_cache()
        manager = cast("Dependency", Globals.dep_manager)
        if not succeeded or not isinstance(manager.backend, DurableDB):
            return Pruned((), ())
        return prune(manager.name, tasks, owned)

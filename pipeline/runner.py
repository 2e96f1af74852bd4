"""How tasks run: doit's runners, with no process before there is work, and none lost unnoticed.

doit's own parallel runner shares two queues among its workers: one that is killed leaves its task
unanswered, and perhaps a lock taken, and doit waits for ever. Here each worker has a pipe of its
own, so that it is known which task is lost, and nothing of it can block the others.
"""

import gc
import signal
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush
from multiprocessing import Process
from typing import TYPE_CHECKING, Any, NoReturn

from doit.exceptions import InvalidTask
from doit.runner import JobHold, JobTask, JobTaskPickle, MRunner, MThreadRunner, Runner

from pipeline.digest import hold_states, release_states
from pipeline.selection import artifact_of

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from doit.control import ExecNode, TaskDispatcher
    from doit.exceptions import BaseFail
    from doit.task import Task

STEP_SECONDS = 0.2
ENDING_SECONDS = 5


def quick_start() -> None:
    """Let the tasks be loaded and looked at with less work, until one of them is executed.

    Until then files do not change by what is done here, and none of what is loaded is garbage.
    """
    hold_states()
    gc.disable()


def _end_quick_start() -> None:
    release_states()
    gc.enable()


class WorkerLostError(InvalidTask):
    """A worker ended in the middle of a task; doit ends the run with the message, and status 2."""


class _Sparing(Runner):
    """What all runners do: settle groups on the spot, and end the thrift of `quick_start`."""

    def select_task(self, node: "ExecNode", tasks_dict: "dict[str, Task]") -> bool:
        """Say whether a task is to be executed; a group, which never has anything to do, is not."""
        selected: bool = super().select_task(node, tasks_dict)
        if not selected or node.task.actions:
            return selected
        node.run_status = "successful"  # pyright: ignore[reportAttributeAccessIssue] - None at first
        self.reporter.add_success(node.task)
        return False

    def execute_task(self, task: "Task") -> "BaseFail | None":
        """Execute a task in this process."""
        _end_quick_start()
        return super().execute_task(task)

    def process_task_result(self, node: "ExecNode", base_fail: "BaseFail | None") -> None:
        """Note how a task ended, here or in a worker."""
        _end_quick_start()
        super().process_task_result(node, base_fail)


class SerialRunner(_Sparing):
    """Runs tasks one after the other, in this process."""


class ThreadRunner(_Sparing, MThreadRunner):
    """Runs tasks in threads, of which none can be lost."""


@dataclass
class _Worker:
    """A process, this end of the pipe to it, and the task that it has been given."""

    process: Process
    connection: "Connection"
    node: "ExecNode | None" = None


@dataclass(frozen=True)
class _Pipe:
    """The worker's end of its pipe, which doit's code for workers takes for both of its queues."""

    connection: "Connection"

    def get(self) -> object:
        """Return the next job, None if there is none or the run is gone."""
        try:
            return self.connection.recv()
        except EOFError:
            return None

    def put(self, answer: object) -> None:
        """Send an answer, unless the run is gone."""
        with suppress(BrokenPipeError):
            self.connection.send(answer)


def _is_long(task: "Task") -> bool:
    spec = artifact_of(task)
    return spec is not None and spec.long


class ParallelRunner(_Sparing, MRunner):
    """Runs tasks in processes, which are started when there is work for them."""

    def run_tasks(self, task_dispatcher: "TaskDispatcher") -> None:
        """Run all tasks; raises WorkerLostError, with all stopped, if a worker is killed."""
        self._run_tasks_init(task_dispatcher)
        self._dispatcher = task_dispatcher
        self._workers: list[_Worker] = []
        self._ends: list[Connection] = []
        self._ready: list[tuple[int, bool, int, JobTask | JobTaskPickle]] = []
        self._places = {name: place for place, name in enumerate(self._dispatcher.tasks)}
        try:
            self._hand_out(None)
            while self._busy():
                self._hear(*self._answer())
        except BaseException:
            self._stop()
            raise
        self._dismiss()

    def __getstate__(self) -> dict[str, object]:
        """Return what a worker that is not forked gets; the other workers are none of its."""
        return {**super().__getstate__(), "_dispatcher": None, "_workers": [], "_ends": []}

    def execute_task_subprocess(
        self,
        job_q: _Pipe,
        result_q: _Pipe,
        reporter_class: type,
    ) -> None:
        """Execute tasks in a worker, until there are no more, or the run is gone."""
        for end in self._ends:  # the run's: an inherited one would hide that the run is gone
            end.close()
        super().execute_task_subprocess(job_q, result_q, reporter_class)

    def _busy(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.node is not None]

    def _hand_out(self, completed: "ExecNode | None") -> None:
        """Give jobs to free workers, as long as there are both.

        Of the tasks that can be run the one goes first that most others wait for, then the one that
        takes long, then the first in the order of definition.
        """
        self._find_ready(completed)
        while self._ready and len(self._busy()) < self.num_process:
            *_, job = heappop(self._ready)
            worker = self._free_worker()
            worker.node = self._dispatcher.nodes[job.name]
            try:
                worker.connection.send(job)
            except BrokenPipeError:
                self._lose(worker)

    def _find_ready(self, completed: "ExecNode | None") -> None:
        """Queue the tasks that can be run now that one is completed; none when the run is to stop.

        InvalidTask if there are none, and never will be.
        """
        found: list[JobTask | JobTaskPickle] = []
        job = self.get_next_job(completed)
        while job is not None and not isinstance(job, JobHold):
            found.append(job)
            job = self.get_next_job(None)
        for each in found:  # only now is it known who waits for them
            node = self._dispatcher.nodes[each.name]
            place = self._places[each.name]
            heappush(self._ready, (-len(node.waiting_me), not _is_long(node.task), place, each))
        if self._stop_running:
            self._ready.clear()
        elif job is not None and not self._ready and not self._busy():
            names = sorted(node.task.name for node in self._dispatcher.waiting)
            raise InvalidTask(f"tasks that wait for each other: {', '.join(names)}")

    def _free_worker(self) -> _Worker:
        """Return a worker without a task, a new one if need be."""
        for worker in self._workers:
            if worker.node is None and worker.process.is_alive():
                return worker
        return self._new_worker()

    def _new_worker(self) -> _Worker:
        from multiprocessing import Pipe  # noqa: PLC0415 - 10 ms that a run without work can spare

        ours, theirs = Pipe()
        self._ends.append(ours)
        pipe = _Pipe(theirs)
        process = self.Child(
            target=self.execute_task_subprocess, args=(pipe, pipe, self.reporter.__class__)
        )
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self._workers.append(worker)
        return worker

    def _answer(self) -> tuple[_Worker, dict[str, Any]]:
        """Return the first worker that says something, and what it says.

        The end of a pipe is no sure sign that a worker is gone: what it has forked may have the
        pipe still. So its process is looked at, too.
        """
        from multiprocessing.connection import wait  # noqa: PLC0415 - as above

        busy = {worker.connection: worker for worker in self._busy()}
        while True:
            ready = wait(list(busy), STEP_SECONDS)
            for worker in busy.values():
                if worker.connection in ready:
                    try:
                        return worker, worker.connection.recv()
                    except (EOFError, ConnectionResetError):
                        self._lose(worker)
                if not worker.process.is_alive() and not worker.connection.poll():
                    self._lose(worker)

    def _hear(self, worker: _Worker, answer: dict[str, Any]) -> None:
        """Do what doit does with an answer: of the worker itself, of its task, or the result."""
        if "exit" in answer:
            raise answer["exit"](answer["exception"])
        node = worker.node
        assert node is not None  # only workers with a task are listened to
        if "reporter" in answer:
            getattr(self.reporter, answer["reporter"])(node.task)
            return
        worker.node = None
        self._process_result(node, node.task, answer)
        self._hand_out(node)

    def _lose(self, worker: _Worker) -> NoReturn:
        """Raise the error that says which tasks are lost."""
        worker.process.join(ENDING_SECONDS)
        status = worker.process.exitcode
        if status is not None and status < 0:
            end = f"was killed by {signal.Signals(-status).name}"
        else:
            end = f"ended with exit status {status}"
        [lost, *others] = [each.node.task.name for each in [worker, *self._busy()] if each.node]
        others = [name for name in others if name != lost]
        too = f"; {', '.join(others)} was stopped too" if others else ""
        raise WorkerLostError(
            f"the process that ran {lost} {end}{too}; what was finished is kept, run doit again"
        )

    def _stop(self) -> None:
        """End the workers in the middle of what they do; SIGTERM lets them stop their commands."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(ENDING_SECONDS)
            worker.process.kill()

    def _dismiss(self) -> None:
        """Let the workers end, and hear what they report of teardowns."""
        for worker in self._workers:
            with suppress(BrokenPipeError):
                worker.connection.send(None)
        for worker in self._workers:
            with suppress(EOFError, ConnectionResetError):
                while worker.process.is_alive() or worker.connection.poll():
                    if worker.connection.poll(STEP_SECONDS):
                        answer = worker.connection.recv()
                        task = self._dispatcher.tasks[answer["name"]]
                        getattr(self.reporter, answer["reporter"])(task)
            worker.process.join()

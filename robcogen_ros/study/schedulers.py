"""Schedulers of blocks of points: processes of this machine, Dask or Ray.

Each engine starts, watches and feeds its workers itself; here they get one form, of futures.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker
from typing import Any, Protocol

from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.study.work import Outcome, run_block

Block = Sequence[Sequence[float]]
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Variables that tell libraries of linear algebra to leave the other cores to the other workers."""


_PATIENT = {"distributed.deploy.lost-worker-timeout": "1 day"}
"""A worker that was killed is started again, however long that takes on a busy computer."""


class Scheduler(Protocol):
    """Runs blocks.

    Attributes:
        lost: What is raised where the worker of a block ended before the block did.
    """

    lost: tuple[type[Exception], ...]

    def submit(self, block: Block) -> Future[Outcome]:
        """Lets a worker run a block."""

    def workers(self) -> int:
        """Returns the number of blocks that can run at a time."""

    def close(self) -> None:
        """Ends the workers, at once, if they were started here."""


class LocalProcesses:
    """Processes of this machine; see Scheduler."""

    lost: tuple[type[Exception], ...] = (BrokenProcessPool,)

    def __init__(self, task: bytes, processes: int) -> None:
        self._task, self._processes = task, processes
        self._others = set(multiprocessing.active_children())
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._processes,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin,
            initargs=(self._task,),
        )

    def submit(self, block: Block) -> Future[Outcome]:
        """Runs a block in a process; starts processes anew where they broke."""
        with _children_of_their_own():
            try:
                return self._pool.submit(_run_block, block)
            except BrokenProcessPool:
                self._pool.shutdown()
                self._pool = self._started()
                return self._pool.submit(_run_block, block)

    def workers(self) -> int:
        """Returns the number of processes."""
        return self._processes

    def close(self) -> None:
        """Ends the processes that this scheduler started."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        ours = set(multiprocessing.active_children()) - self._others
        for process in ours:
            process.kill()
        for process in ours:
            process.join()


_task = b""


def _begin(task: bytes) -> None:
    """Begins a process, which ends when the one that started it does."""
    global _task
    _task = task
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _run_block(block: Block) -> Outcome:
    return run_block(_task, block)


@contextlib.contextmanager
def _children_of_their_own() -> Iterator[None]:
    """Processes that are started meanwhile leave Ctrl-C to this one, and have a thread each."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    resource_tracker.ensure_running()  # else the first child starts it, and Ctrl-C comes through
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    for name in _ONE_THREAD:
        os.environ.setdefault(name, "1")
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


class DaskCluster:
    """A cluster of Dask, or one that is made of processes of this machine; see Scheduler."""

    def __init__(self, task: bytes, processes: int, address: str | None) -> None:
        distributed = package("distributed", "--scheduler dask")
        self.lost: tuple[type[Exception], ...] = (distributed.KilledWorker,)
        self._cluster: Any = None
        with _children_of_their_own():
            if address is None:
                package("dask", "--scheduler dask").config.set(_PATIENT)
                self._cluster = distributed.LocalCluster(
                    n_workers=processes,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                )
            self._client = distributed.Client(self._cluster or address)
        self._executor = self._client.get_executor(pure=False)
        self._task = self._client.submit(bytes, task)  # computed again where its worker ends

    def submit(self, block: Block) -> Future[Outcome]:
        """Runs a block by Dask."""
        future: Future[Outcome] = self._executor.submit(run_block, self._task, block)
        return future

    def workers(self) -> int:
        """Returns the number of Dask's threads."""
        return sum(self._client.nthreads().values())

    def close(self) -> None:
        """Closes the client, and the cluster that it started."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


class RayCluster:
    """A cluster of Ray, or one that is made of processes of this machine; see Scheduler."""

    def __init__(self, task: bytes, processes: int, address: str | None) -> None:
        self._ray = package("ray", "--scheduler ray")
        errors = self._ray.exceptions
        self.lost: tuple[type[Exception], ...] = (
            errors.WorkerCrashedError,
            errors.NodeDiedError,
            errors.OutOfMemoryError,
        )
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        with _children_of_their_own():
            if address is None:
                self._ray.init(num_cpus=processes, include_dashboard=False, **quiet)
            else:
                self._ray.init(address, **quiet)
        self._task = self._ray.put(task)
        self._run = self._ray.remote(max_retries=0)(run_block)

    def submit(self, block: Block) -> Future[Outcome]:
        """Runs a block by Ray."""
        future: Future[Outcome] = self._run.remote(self._task, block).future()
        return future

    def workers(self) -> int:
        """Returns the number of Ray's CPUs."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    def close(self) -> None:
        """Ends Ray's processes."""
        self._ray.shutdown()


SCHEDULERS: dict[str, Callable[[bytes, int, str | None], Scheduler]] = {
    "local": lambda task, processes, _: LocalProcesses(task, processes),
    "dask": DaskCluster,
    "ray": RayCluster,
}


@contextlib.contextmanager
def opened(name: str, task: bytes, processes: int, address: str | None) -> Iterator[Scheduler]:
    """A scheduler for a while; what it started has ended afterwards.

    Raises:
        RobcogenError: If it is not installed, or there is none at the address.
    """
    try:
        scheduler = SCHEDULERS[name](task, processes, address)
    except RobcogenError:
        raise
    except Exception as error:  # of any kind, as engines have them
        where = f" at {address}" if address else ""
        raise RobcogenError(f"no {name} cluster{where}: {error}") from None
    try:
        yield scheduler
    finally:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            scheduler.close()
        finally:
            signal.signal(signal.SIGINT, before)

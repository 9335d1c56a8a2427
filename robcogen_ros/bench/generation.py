"""Costs of generating and compiling, nothing kept from earlier runs."""

from __future__ import annotations

import multiprocessing
import os
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.bench.robots import Subject
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.build import build

_TARGET = Target("bench", "robot", "the robot")
_CACHE = "XDG_CACHE_HOME"
_COLUMNS = {"generate s": 2, "build s": 2, "CPU s": 1, "memory MB": 0, "library kB": 0}
"""Titles, and how many decimals are printed."""


def lines(subjects: Sequence[Subject], functions: Sequence[str]) -> Iterator[str]:
    """Yields what all functions of each robot together take, and some alone.

    `build` generates and compiles; memory is that of the largest process, Python or compiler.
    """
    yield f"{'':20} {'':29} " + " ".join(f"{title:>10}" for title in _COLUMNS)
    processes = multiprocessing.get_context("spawn")
    for subject in subjects:
        for function in ("", *functions):
            with processes.Pool(1) as pool:  # a new process: memory is counted from its start
                costs = pool.apply(_costs, (subject, (function,) if function else ()))
            printed = zip(costs, _COLUMNS.values(), strict=True)
            values = " ".join(f"{cost:10.{decimals}f}" for cost, decimals in printed)
            yield f"{subject.title:20} {function or 'all functions':29} {values}"


def _costs(subject: Subject, names: Sequence[str]) -> tuple[float, ...]:
    """Returns the values of the columns."""
    lock, path = dict.fromkeys(subject.lock, 0.0), subject.path
    start = time.perf_counter()
    robot = read(path, floating_base=subject.floating, lock=lock).robot
    cpp_files(Library(robot, names), _TARGET)
    generated, before = time.perf_counter(), _cpu_seconds()
    with tempfile.TemporaryDirectory() as empty, mock.patch.dict(os.environ, {_CACHE: empty}):
        built = build(path, floating_base=subject.floating, lock=lock, functions=names)
        seconds, spent = time.perf_counter() - generated, _cpu_seconds() - before
        size = Path(str(built.library_path)).stat().st_size
    kinds = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    memory = max(resource.getrusage(kind).ru_maxrss for kind in kinds)
    return generated - start, seconds, spent, memory / 1024, size / 1024


def _cpu_seconds() -> float:
    """CPU time of this process and of the compilers it started."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system

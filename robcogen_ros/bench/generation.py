"""How long it takes to generate and to compile, nothing kept from earlier runs."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from unittest import mock

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.bench.robots import Subject
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.build import build

_TARGET = Target("bench", "robot", "the robot")
_CACHE = "XDG_CACHE_HOME"


def lines(subjects: Sequence[Subject], functions: Sequence[str]) -> Iterator[str]:
    """Of each robot all functions together, and some alone: seconds to write C++, and to build."""
    yield f"{'':20} {'':29} {'generate s':>11} {'build s':>9} {'CPU s':>8}"
    for subject in subjects:
        for function in ("", *functions):
            lock, path = dict.fromkeys(subject.lock, 0.0), subject.path
            names = (function,) if function else ()
            start = time.perf_counter()
            robot = read(path, floating_base=subject.floating, lock=lock).robot
            cpp_files(Library(robot, names), _TARGET)
            generated, before = time.perf_counter(), _cpu_seconds()
            with (
                tempfile.TemporaryDirectory() as empty,
                mock.patch.dict(os.environ, {_CACHE: empty}),
            ):
                build(path, floating_base=subject.floating, lock=lock, functions=names)
            seconds = f"{generated - start:11.2f} {time.perf_counter() - generated:9.2f}"
            spent = f"{_cpu_seconds() - before:8.1f}"
            yield f"{subject.title:20} {function or 'all functions':29} {seconds} {spent}"


def _cpu_seconds() -> float:
    """CPU time of this process and of the compilers it started."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system

"""Every run of the tests tries the same random examples; a search for new ones is asked for.

`python -m pytest --hypothesis-profile=search` tries others each time. Tests that run side by side
(`-n 2 --dist loadfile`) do not hear the nodes of each other.

A test that starts a compiler, or takes more than a second, has the mark `slow`: `make quick` runs
all others.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

# Tests run side by side: threads of linear algebra would only wait for each other. The variables
# are read where NumPy is imported, and by every process that a test starts.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import pytest
from hypothesis import settings

from robcogen_ros import progress

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("repeatable")

# Programs are graphs of a million small objects that live: searches for dead ones take a fifth of
# the time, and find none.
gc.set_threshold(100_000)

# On a busy computer short work takes long, and would say so where tests compare what is said.
progress.PAUSE = 3600.0

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["ROS_DOMAIN_ID"] = str(1 + os.getpid() % 100)

_LONGEST = (
    "legged/test_on_the_ground.py",
    "control/test_whole_body_commands.py",
    "control/test_whole_body_faults.py",
    "backends/test_loops.py",
    "ros/test_simulated_robot.py",
    "cmake/test_workspace.py",
    "cmake/test_cmake.py",
    "cmake/test_plugins.py",
    "cmake/test_controller.py",
    "backends/test_dataset.py",
    "control/test_ground.py",
    "backends/test_batch.py",
)
"""Files that take longest, which come first: one at the end would have all workers but one idle."""

_SLOW_FOLDERS = ("cmake", "oracle", "plugins", "property", "realtime", "ros")
_COMPILER = re.compile(r"(cc|c\+\+|gcc|g\+\+|clang|clang\+\+)(-[\d.]+)?|cmake|colcon")
_MORE = Path(__file__).with_name("more.txt")
_running: list[pytest.Item] = []
_skipped: set[str] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make test` lists what it skips, which `make test-more` runs."""
    parser.addoption("--list-skipped", metavar="FILE", help="write what is skipped, a line each")
    parser.addoption("--more", action="store_true", help=f"run what {_MORE.name} has, too")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that is skipped."""
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped.add(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file that is skipped as a whole."""
    if report.skipped:
        _skipped.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what was skipped, once for all workers."""
    file = session.config.getoption("list_skipped")
    if file and not hasattr(session.config, "workerinput"):
        Path(file).write_text("".join(f"{name}\n" for name in sorted(_skipped)))


def _skip_more(items: list[pytest.Item], all_are_here: bool) -> None:
    """Skip what `make test-more` runs; a line that names no test is an error where all are here."""
    lines = [line for line in _MORE.read_text().splitlines() if not line.startswith("#")]
    skip = pytest.mark.skip(reason="another case of a test that runs: make test-more")
    found = set()
    for item in items:
        for line in lines:
            if item.nodeid.startswith(line):
                item.add_marker(skip)
                found.add(line)
    files = {item.nodeid.partition("::")[0] for item in items}
    gone = [line for line in lines if line not in found and line.partition("::")[0] in files]
    if gone and all_are_here:
        raise pytest.UsageError(f"{_MORE.name}: there is no test {gone[0]!r}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """All tests of some folders are slow: they build a workspace, or try all robots."""
    places = {name: place for place, name in enumerate(_LONGEST)}

    def name_of(item: pytest.Item) -> str:
        return item.path.relative_to(Path(__file__).parent).as_posix()

    for item in items:
        if name_of(item).partition("/")[0] in _SLOW_FOLDERS:
            item.add_marker(pytest.mark.slow)
    if not config.getoption("more"):
        _skip_more(items, all(Path(name).is_dir() for name in config.args))
    items.sort(key=lambda item: places.get(name_of(item), len(places)))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note which test runs, its fixtures too."""
    _running.append(item)
    yield
    _running.pop()


def _refuse_compilers(event: str, arguments: tuple[object, ...]) -> None:
    """A test that starts a compiler is slow; `make quick` leaves it out."""
    if event == "subprocess.Popen" and _running:
        program = Path(os.fsdecode(arguments[0])).name
        if _COMPILER.fullmatch(program) and not _running[-1].get_closest_marker("slow"):
            pytest.fail(f"it starts {program}, so it needs `@pytest.mark.slow`")


sys.addaudithook(_refuse_compilers)

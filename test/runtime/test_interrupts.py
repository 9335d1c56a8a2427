"""What Ctrl-C stops leaves neither parts of files nor processes, and says so in one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from test.support.examples import example_path

ROOT = Path(__file__).parents[2]
COMPILER = """#!/bin/sh
# a compiler that starts another one, as g++ does, which never ends
case "$*" in *" -o "*) ;; *) exit 0;; esac
sleep 600 & echo $$ $! >> "$PIDS"
while [ $# -gt 1 ]; do [ "$1" = -o ] && echo half > "$2"; shift; done
wait
"""


def children(parent: int) -> set[int]:
    """Processes that a process started, those of these too."""
    found: set[int] = set()
    pending = [parent]
    while pending:
        for task in Path(f"/proc/{pending.pop()}/task").glob("*/children"):
            try:
                fresh = {int(word) for word in task.read_text().split()} - found
            except OSError:
                continue
            found |= fresh
            pending += fresh
    return found


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "bin" / "slow-c++"
    path.parent.mkdir()
    path.write_text(COMPILER)
    path.chmod(0o755)
    monkeypatch.setenv("CXX", str(path))
    monkeypatch.setenv("PIDS", str(tmp_path / "pids"))
    return tmp_path / "pids"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def waited_for(condition) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def stopped(words: list[str], when, number: int = signal.SIGINT) -> tuple[int, str, set[int]]:
    """Exit code, standard error and children of a program that got a signal at some time."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # where the tests are in background
    begun = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    waited_for(lambda: when(begun.pid))
    started = children(begun.pid)
    begun.send_signal(number)
    _, said = begun.communicate(timeout=60)
    return begun.returncode, said.decode(), started


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def robcogen(*words: str) -> list[str]:
    return ["-m", "robcogen_ros", *words]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_generate(number: int, tmp_path: Path) -> None:
    out = tmp_path / "out"
    model = str(example_path("quadruped"))
    options = ["--function", "default", "--function", "derivatives", "--batch", "-o", str(out)]
    code, said, started = stopped(
        robcogen("generate", model, *options), lambda pid: children(pid), number
    )
    assert code == 128 + number
    assert said == "interrupted\n"
    assert not files(out)
    assert started and not any(map(is_running, started))


@pytest.mark.parametrize("seconds", [0.2, 0.5, 0.8, 1.5])
def test_dataset(seconds: float, tmp_path: Path) -> None:
    """It runs in the calling process, which loads what it needs, and then is at work."""
    out = tmp_path / "out"
    words = robcogen(
        "generate", str(example_path("quadruped")), "--dataset", "1000000", "-o", str(out)
    )

    def busy(pid: int) -> bool:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) > seconds * os.sysconf("SC_CLK_TCK")

    code, said, _ = stopped(words, busy)
    assert said == "interrupted\n"
    assert code in (130, -signal.SIGINT)  # CPython: the latter where an exec() was interrupted
    assert not files(out)


def compiling(pids: Path):
    return lambda _: pids.exists() and pids.read_text().strip()


def test_nothing_that_a_command_loads_drops_it() -> None:
    loads = (
        "import os, signal, sys\n"
        "from robcogen_ros.cli import main as command\n"
        "def load(name):\n"
        "    try: os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt: print('dropped', file=sys.stderr)\n"
        "command.importlib.import_module = load\n"
        "command.main(['check'])\n"
    )
    assert stopped(["-c", loads], lambda _: True, 0)[:2] == (130, "interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize(("number", "ends"), [(signal.SIGINT, 7), (signal.SIGTERM, 143)])
def test_build(number: int, ends: int, compiler: Path, tmp_path: Path, cache: Path) -> None:
    code, said, _ = stopped(
        [
            "-c",
            "import sys, robcogen_ros\n"
            "try: robcogen_ros.build(sys.argv[1], functions=['gravity_torques'])\n"
            "except KeyboardInterrupt: sys.exit(7)",
            str(example_path("quadruped")),
        ],
        compiling(compiler),
        number,
    )
    assert (code, said) == (ends, "")
    assert not files(cache)
    waited_for(lambda: not any(map(is_running, map(int, compiler.read_text().split()))))


@pytest.mark.slow
def test_bench(compiler: Path, tmp_path: Path, cache: Path) -> None:
    words = ["--peers", "none", "--function", "gravity_torques", "--json", str(tmp_path / "a.json")]
    code, said, _ = stopped(
        robcogen("bench", str(example_path("quadruped")), *words), compiling(compiler)
    )
    assert (code, said) == (130, "interrupted\n")
    assert not files(cache) and not (tmp_path / "a.json").exists()
    waited_for(lambda: not any(map(is_running, map(int, compiler.read_text().split()))))


@pytest.fixture(autouse=True)
def no_process_is_left(compiler: Path) -> Iterator[None]:
    yield
    for process in map(int, compiler.read_text().split() if compiler.exists() else ()):
        if is_running(process):
            os.kill(process, signal.SIGKILL)

"""What long work shows: a bar on a terminal, few lines in a log; nothing of what is short."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest

import robcogen_ros
from robcogen_ros import progress
from robcogen_ros.backends.processes import in_processes
from robcogen_ros.cli.main import main
from test.support.examples import example_path

HYL = example_path("hyl")


class Log:
    """What is written on the standard error, all of it."""

    def __init__(self, capsys) -> None:
        self._capsys, self._text = capsys, ""
        self.out = ""

    def getvalue(self) -> str:
        found = self._capsys.readouterr()
        self.out += found.out
        self._text += found.err
        return self._text


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch):
    """Seconds that have gone by, as a list of one."""
    now = [100.0]
    monkeypatch.setattr(progress, "PAUSE", 5.0)
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


@pytest.fixture
def log(capsys: pytest.CaptureFixture[str]) -> Log:
    return Log(capsys)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    found = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=found))
    monkeypatch.setenv("TERM", "xterm")
    return found


def work(clock: list[float], seconds: float, count: int = 10) -> None:
    for _ in progress.each(range(count), "compiling", "files", "file {}".format):
        clock[0] += seconds / count


def test_a_log_has_few_lines(clock, log):
    with progress.shown(True):
        work(clock, 20)
    assert log.getvalue().splitlines() == [
        "robcogen: compiling: 3 of 10 files, file 2",
        "robcogen: compiling: 6 of 10 files, file 5",
        "robcogen: compiling: 9 of 10 files, file 8",
    ]


def test_what_takes_long_without_a_change_is_told_again(clock, log):
    with progress.shown(True), progress.task("compiling", 1, "files"):
        for _ in range(130):
            clock[0] += 1
            progress.refresh()
    assert log.getvalue().splitlines() == ["robcogen: compiling: 0 of 1 files"] * 3


def test_what_is_short_shows_nothing(clock, log):
    with progress.shown(True):
        work(clock, 4)
    assert not log.getvalue()


def test_a_terminal_has_a_bar_that_goes(clock, terminal):
    with progress.shown():
        work(clock, 4)
    *bars, last, _ = terminal.getvalue().split("\r")
    assert any("3/10" in bar and "files" in bar and "file 2" in bar for bar in bars)
    assert "\n" not in terminal.getvalue() and not last.strip()


def test_short_work_shows_nothing_on_a_terminal_either(clock, terminal):
    with progress.shown():
        work(clock, 0.9)
    assert not terminal.getvalue()


def test_lines_where_a_terminal_cannot_move_its_cursor(clock, terminal, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    with progress.shown():
        work(clock, 6)
    assert terminal.getvalue() == "robcogen: compiling: 9 of 10 files, file 8\n"


def test_lines_where_there_is_no_tqdm(clock, terminal, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with progress.shown():
        work(clock, 6)
    assert terminal.getvalue() == "robcogen: compiling: 9 of 10 files, file 8\n"


@pytest.mark.parametrize("wanted", [None, False])
def test_a_program_that_calls_is_told_nothing_unless_it_asks(clock, log, wanted):
    with progress.shown(wanted):
        work(clock, 60)
    assert not log.getvalue()


def test_parts_of_work_are_shown_within_the_whole(clock, log):
    with progress.shown(True), progress.task("measuring", 6, "functions") as whole:
        whole.advance(2, "inverse_dynamics")
        with progress.shown(), progress.task("compiling", 9, "files") as part:
            clock[0] += 6
            part.advance(4, "side.cpp")
    assert log.getvalue() == (
        "robcogen: measuring: 2 of 6 functions, inverse_dynamics; "
        "compiling: 4 of 9 files, side.cpp\n"
    )


def test_who_wants_no_progress_gets_none_within_work_that_is_shown(clock, log):
    with progress.shown(True), progress.shown(False):
        work(clock, 60)
    assert not log.getvalue()


def test_a_line_that_is_said_is_not_written_into_the_bar(clock, terminal, capsys):
    with progress.shown(), progress.task("measuring", 3, "functions") as step:
        clock[0] += 2
        step.advance()
        shown = terminal.getvalue()
        assert "1/3" in shown
        progress.say("a row of the table")
        assert terminal.getvalue()[len(shown) :].strip(" \r") == ""
    assert capsys.readouterr().out == "a row of the table\n"


def test_what_other_processes_do_is_shown(monkeypatch, log):
    monkeypatch.setattr(progress, "PAUSE", 0.0)

    def half(number: int) -> int:
        progress.tell(f"halving {number}")
        return number // 2

    with progress.shown(True):
        assert in_processes(half, range(8), 2, title=("halving", "numbers")) == [
            0,
            0,
            1,
            1,
            2,
            2,
            3,
            3,
        ]
    lines = log.getvalue().splitlines()
    assert lines[-1].startswith("robcogen: halving: 8 of 8 numbers, halving ")
    assert all(line.startswith("robcogen: halving: ") for line in lines)


def generate(folder, *options: str) -> int:
    return main(
        ["generate", str(HYL), "-o", str(folder), "--function", "gravity_torques", *options]
    )


@pytest.mark.parametrize(
    "options", [[], ["--target", "python"], ["--target", "c", "--dataset", "1"]]
)
def test_generate_tells_its_functions(tmp_path, log, monkeypatch, options):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    assert generate(tmp_path, *options) == 0
    assert "robcogen: generating HyL: 1 of 1 functions, gravity_torques" in log.getvalue()
    assert ("computing the dataset" in log.getvalue()) == ("--dataset" in options)


def test_quiet(tmp_path, log, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    assert generate(tmp_path, "--quiet") == 0
    assert "robcogen:" not in log.getvalue()


def test_builds_have_it_in_the_output_not_among_errors(tmp_path, log, monkeypatch):
    """Colcon takes a package that writes to its standard error for one with a problem."""
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    monkeypatch.setenv("ROBCOGEN_CALLER", "cmake")
    assert generate(tmp_path) == 0
    assert "robcogen:" not in log.getvalue()
    assert "robcogen: generating HyL: 1 of 1 functions" in log.out


def test_build_shows_it_where_it_is_asked_to(log, monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    with pytest.raises(ValueError, match="progress: expected True, False or None, found 'yes'"):
        robcogen_ros.build(HYL, backend="numpy", progress="yes")

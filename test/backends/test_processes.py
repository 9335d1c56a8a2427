"""Work done in several processes gives what one process gives, whatever happens to the others."""

import os
import signal
import sys
import threading
import time

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp import forms
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.processes import available, in_processes
from robcogen_ros.program.library import Library
from test.support.examples import example

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="nothing is forked")


def square(x):
    return x * x


@pytest.mark.parametrize("count", [1, 2, 5])
def test_results_come_in_the_order_of_the_pieces(count):
    assert in_processes(square, range(300), count) == [x * x for x in range(300)]


def test_several_processes_work():
    reading, writing = os.pipe()

    def meet(piece):  # one process alone would wait for the other for ever
        if piece:
            os.write(writing, b"x")
        else:
            os.read(reading, 1)
        return os.getpid()

    processes = set(in_processes(meet, [0, 1], 2))
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_the_first_error_is_raised_as_it_is():
    def fail(piece):
        if piece in (3, 6):
            raise KeyError(piece)

    with pytest.raises(KeyError, match="3"):
        in_processes(fail, range(8), 3)


def test_early_pieces_are_begun_before_others_are_prepared():
    reading, writing = os.pipe()
    prepared = []

    def work(piece):
        if piece == 2:
            os.write(writing, b"x")
        return piece, bool(prepared)

    def prepare():
        os.read(reading, 1)  # until the early piece is begun
        prepared.append(True)

    pieces = in_processes(work, [0, 1, 2], 2, early=1, prepare=prepare)
    assert pieces == [(0, True), (1, True), (2, False)]


def test_early_pieces_are_left_to_others_by_one_that_dies():
    own = os.getpid()

    def die(piece):
        if piece == 3 and os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)
        return piece

    assert in_processes(die, range(5), 2, early=2) == [0, 1, 2, 3, 4]


def test_what_a_process_that_dies_leaves_is_done():
    own = os.getpid()
    reading, writing = os.pipe()

    def die(piece):
        if os.getpid() != own:
            os.write(writing, b"x")
            os.kill(os.getpid(), signal.SIGKILL)
        if piece == 0:
            os.read(reading, 1)
        return piece

    assert in_processes(die, range(4), 2) == [0, 1, 2, 3]


@pytest.fixture
def forked(monkeypatch):
    """The numbers of the processes that a test forks."""
    numbers = []
    fork = os.fork

    def noted():
        number = fork()
        numbers.append(number)
        return number

    monkeypatch.setattr(os, "fork", noted)
    return numbers


@pytest.fixture
def interruptible():
    """Interrupts raise, also where the test run was started in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def assert_gone(processes):
    for process in processes:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_no_process_behind(forked):
    own = os.getpid()
    reading, writing = os.pipe()

    def interrupt(piece):
        if piece == 0:
            os.read(reading, 1)  # until the other process has a piece
            time.sleep(0.2)
            os.kill(own, signal.SIGINT)
        os.write(writing, b"x")
        time.sleep(60)

    with pytest.raises(KeyboardInterrupt):
        in_processes(interrupt, range(4), 2)
    assert len(forked) == 2
    assert_gone(forked)


def test_nothing_is_forked_beside_threads():
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert available() == 1
    finally:
        done.set()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("shared", [(), ("default",)])
def test_the_code_does_not_depend_on_the_number_of_processes(shared, monkeypatch):
    target = Target("demo", "leg", "leg.kindsl", shared=shared, batch=True)
    files = []
    for count in (1, 3):
        monkeypatch.setattr(forms, "_MUCH", 0)
        monkeypatch.setattr(forms, "available", lambda count=count: count)
        files.append(cpp_files(Library(example("hyl"), ["default", "fr_foot_J_fr_base"]), target))
    assert files[0] == files[1]

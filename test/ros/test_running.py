"""How the programs of nodes end."""

import os
import signal
import subprocess
import sys

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

from test.ros.harness import PATIENCE, ROOT


def said_by(program):
    """The exit code of a program, and what it said on both outputs."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT) + os.pathsep + os.environ.get("PYTHONPATH", ""),
    }
    result = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return result.returncode, result.stdout, result.stderr


STOPPED_AGAIN = f"""
import os
import sys

from robcogen_ros.ros.running import Program, run


def interrupt():
    os.kill(os.getpid(), {int(signal.SIGINT)})


class Impatient(Program):
    node = None

    def __init__(self, arguments):
        pass

    def close(self):
        print("closing", flush=True)
        interrupt()
        print("closed", flush=True)


code = run(Impatient, [], lambda program, running: interrupt())
interrupt()
sys.exit(code)
"""


TELLS = """
from types import SimpleNamespace

from robcogen_ros import progress
from robcogen_ros.ros.running import Program, run

progress.PAUSE = 0.0


class Slow(Program):
    node = SimpleNamespace(destroy_node=lambda: None)

    def __init__(self, arguments):
        with progress.task("reading"):
            pass


def configure(program, running):
    with progress.task("compiling"):
        pass


run(Slow, [], configure)
"""


def test_what_takes_long_is_told_until_a_node_ends_not_only_while_it_is_made():
    assert said_by(TELLS) == (0, "", "robcogen: reading\nrobcogen: compiling\n")


def test_a_second_ctrl_c_cuts_its_end_short_and_a_third_does_nothing():
    assert said_by(STOPPED_AGAIN) == (0, "closing\n", "")


DROPPED = f"""
import os
import sys
from types import SimpleNamespace

from robcogen_ros.ros.running import Program, run


class Garbage:
    def __init__(self):
        self.itself = self

    def __del__(self):
        os.kill(os.getpid(), {int(signal.SIGINT)})
        os.getpid()


class Collecting(Program):
    node = SimpleNamespace(destroy_node=lambda: None)

    def __init__(self, arguments):
        Garbage()


sys.unraisablehook = lambda dropped: print(dropped.exc_type.__name__)
sys.exit(run(Collecting, [], lambda program, running: sys.exit("runs" if running else 0)))
"""


def test_ctrl_c_is_heard_where_python_drops_it():
    assert said_by(DROPPED) == (0, "KeyboardInterrupt\n", "")

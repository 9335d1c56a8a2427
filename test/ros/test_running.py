"""How the programs of nodes end."""

import os
import signal
import subprocess
import sys

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

from test.ros.harness import PATIENCE, ROOT

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


def test_a_second_ctrl_c_cuts_its_end_short_and_a_third_does_nothing():
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT) + os.pathsep + os.environ.get("PYTHONPATH", ""),
    }
    result = subprocess.run(
        [sys.executable, "-c", STOPPED_AGAIN],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "closing\n", "")

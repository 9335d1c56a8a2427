"""Robots under ros2_control, in a controller manager that tells what its cycles take."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def run(
    install: Path,
    description: str,
    parameters: Path,
    seconds: float,
    controllers: Sequence[str],
    accompany: Callable[[Any], None],
) -> str:
    """Returns what test/cmake/packages/timed_manager prints of a robot.

    Args:
        install: The `install` folder of a workspace with that package and the robot's.
        description: URDF.
        parameters: YAML file of the manager and of the controllers.
        seconds: How long cycles are measured.
        controllers: Their names; they are activated together.
        accompany: Gives a node its publishers and subscriptions; the node lives as long as the
            manager.

    Raises:
        RuntimeError: If the manager ended with an error.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "robot.urdf"
        file.write_text(description)
        program = install / "timed_manager/lib/timed_manager/timed"
        command = f'. "{install}/local_setup.sh" && exec "{program}" "$@"'
        words = [file, parameters, seconds, *controllers]
        process = subprocess.Popen(
            ["sh", "-c", command, "timed", *map(str, words)],
            env=dict(os.environ),
            text=True,
            stdout=subprocess.PIPE,
        )
        _spin(process, accompany)
        printed, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the controller manager ended with {process.returncode}")
    return printed


def _spin(process: subprocess.Popen[str], accompany: Callable[[Any], None]) -> None:
    """Spins a node until a process ends."""
    import rclpy
    from rclpy.node import Node

    rclpy.init()
    node = Node("beside")
    accompany(node)
    ended = threading.Thread(target=process.wait)
    ended.start()
    while ended.is_alive():
        rclpy.spin_once(node, timeout_sec=0.1)
    node.destroy_node()
    rclpy.shutdown()

"""Nodes in processes of their own, which never outlive the demo."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from robcogen_ros.errors import RobcogenError

PATIENCE = 5.0
"""Time that a node may take to end [s]."""
NAMESPACE = "/robcogen_demo"
LEADS: dict[str, Any] = {"publish_clock": True, "lockstep": True}
"""Parameters of the node whose simulated time waits for the controller."""
FOLLOWS: dict[str, Any] = {"use_sim_time": True}
"""Parameters of the other nodes."""


def confinement() -> dict[str, str]:
    """Environment that keeps all messages on this machine, in a domain of their own."""
    domain = os.environ.get("ROS_DOMAIN_ID") or str(1 + os.getpid() % 100)
    return {
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
        "ROS_LOCALHOST_ONLY": "1",
        "ROS_DOMAIN_ID": domain,
    }


class Nodes:
    """Running nodes; leaving the `with` block ends them all."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Nodes:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._running.values():
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
        for process in self._running.values():
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def start(self, name: str, parameters: Mapping[str, Any]) -> None:
        """Starts a node of `robcogen_ros.ros`; what it says goes to a log file."""
        command = [sys.executable, "-m", f"robcogen_ros.ros.{name}", *options(parameters)]
        command += ["-r", f"__ns:={NAMESPACE}"]
        with self._log(name).open("wb") as log:
            self._running[name] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )

    def check(self) -> None:
        """Looks whether all nodes still run.

        Raises:
            RobcogenError: If one has ended, with what it said last.
        """
        for name, process in self._running.items():
            if process.poll() is not None:
                said = self._log(name).read_text(encoding="utf-8", errors="replace")
                last = "\n".join(said.splitlines()[-12:])
                raise RobcogenError(f"node {name} ended with code {process.returncode}:\n{last}")

    def _log(self, name: str) -> Path:
        return self._logs / f"{name}.log"


def by_hand(nodes: Mapping[str, Mapping[str, Any]]) -> str:
    """Commands that start nodes with parameters, by what this machine has, as text."""
    commands = [f"  {_program(name)} {shlex.join(options(nodes[name]))}" for name in nodes]
    return "\n".join(("To start the nodes yourself, each in a terminal:", *commands))


def _program(node: str) -> str:
    """The words that start a node here."""
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    folders = os.pathsep.join(str(Path(each, "lib", "robcogen_ros")) for each in prefixes)
    installed = shutil.which(node, path=folders) is not None
    if installed and shutil.which("ros2"):
        return f"ros2 run robcogen_ros {node}"
    program = node if installed else f"python3 -m robcogen_ros.ros.{node}"
    return f"bootstrap/run {program}" if Path("bootstrap/run").is_file() else program


def options(parameters: Mapping[str, Any]) -> list[str]:
    """Words of a command by which a node takes parameters."""
    pairs = [f"{key}:={_text(value)}" for key, value in parameters.items()]
    return ["--ros-args", *(word for pair in pairs for word in ("-p", pair))]


def _text(value: Any) -> str:
    """A value as YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_text(item) for item in value)}]"
    return repr(float(value)) if isinstance(value, float) else json.dumps(value)

"""Running a node as a program that ends well."""

from __future__ import annotations

import contextlib
import gc
import inspect
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import rclpy
from rclpy.duration import Duration
from rclpy.exceptions import NameValidationException, ParameterException
from rclpy.executors import SingleThreadedExecutor
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.signals import SignalHandlerOptions

from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.assignments import USAGE, NodeArguments, divided
from robcogen_ros.progress import shown

OF_ROS = (
    NameValidationException,
    ParameterException,
    rclpy_implementation.RCLError,
    rclpy_implementation.UnknownROSArgsError,
)
"""Errors that ROS raises if its words or its parameters are wrong."""
ATTENTION = 0.1
"""Longest time until a signal is noticed [s]."""


LEAVING = Duration(seconds=0.5)
"""Time that the last command may take to arrive before a node is gone."""


def time_stamp(node: Any) -> tuple[int, int]:
    """Returns the time of a node's clock as seconds and nanoseconds."""
    seconds, nanoseconds = divmod(node.get_clock().now().nanoseconds, 1_000_000_000)
    return seconds, nanoseconds


class Running:
    """True until the process is told to stop; the second time it is stopped at once."""

    def __init__(self) -> None:
        self._told = False

    def __bool__(self) -> bool:
        return not self._told and bool(rclpy.ok())

    def begin(self) -> None:
        """Stops at once on Ctrl-C from now on, even where Python drops the exception.

        It does so while it collects garbage, and in callbacks from C.
        """
        signal.signal(signal.SIGINT, self._stop_at_once)

    def listen(self) -> None:
        """Notices Ctrl-C and SIGTERM from now on, leaving ROS usable to say a last word."""
        signal.signal(signal.SIGINT, self._stop)
        signal.signal(signal.SIGTERM, self._stop)

    def _stop_at_once(self, number: int, frame: Any) -> None:
        self._told = True
        raise KeyboardInterrupt

    def _stop(self, number: int, frame: Any) -> None:
        self._told = True
        signal.signal(number, signal.default_int_handler)


class Program:
    """Program that runs: a ROS node and what surrounds it.

    Attributes:
        node: The ROS node.
    """

    node: Any

    def start(self) -> None:
        """Called once the node's callbacks are answered."""

    def close(self) -> None:
        """Called when it ends; ROS is still there."""


def run(
    make: Callable[[NodeArguments], Any],
    args: Sequence[str] | None = None,
    spin: Callable[[Any, Running], None] | None = None,
) -> int:
    """Makes a node, runs it until it is told to stop, and cleans up.

    Args:
        make: Makes a `Program`, or what has its attribute and methods, of the robot that the
            command line names.
        args: Command line, the program first; that of the process by default.
        spin: Runs it; by default answers its callbacks.

    Returns:
        The exit code of the process: 0 after Ctrl-C or a shutdown, 1 if the user must act.
    """
    program, running = None, Running()
    try:
        running.begin()
        own, of_ros = divided(sys.argv if args is None else args)
        if not {"-h", "--help"}.isdisjoint(own[1:]):
            told = inspect.getdoc(inspect.getmodule(make))
            print(f"usage: ros2 run robcogen_ros {Path(own[0]).stem} {USAGE}\n\n{told}")
            return 0
        rclpy.init(args=[*own[:1], *of_ros], signal_handler_options=SignalHandlerOptions.NO)
        with shown(True):
            program = make(NodeArguments.of(own[1:]))
            gc.collect()
            gc.freeze()
            running.listen()
            (spin or _spin)(program, running)
    except KeyboardInterrupt:
        pass
    except (RobcogenError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except OF_ROS as error:
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return 1
    finally:
        with contextlib.suppress(KeyboardInterrupt):
            _end(program)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said; what is left is to leave well
        rclpy.try_shutdown()
    return 0


def _end(program: Any) -> None:
    if program is not None:
        program.close()
        program.node.destroy_node()


def executor() -> Any:
    """The fastest executor that this ROS has."""
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:
        return SingleThreadedExecutor()
    return EventsExecutor()


def _spin(program: Any, running: Running) -> None:
    spinner = executor()
    spinner.add_node(program.node)
    program.start()
    while running:
        spinner.spin_once(timeout_sec=ATTENTION)

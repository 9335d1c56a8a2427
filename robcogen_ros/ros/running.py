"""Running a node as a program that ends well."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

from robcogen_ros.errors import RobcogenError


def run(
    make: Callable[[], Any],
    args: Sequence[str] | None = None,
    spin: Callable[[Any], None] | None = None,
) -> int:
    """Makes a node, runs it until it is told to stop, and cleans up.

    Args:
        make: Makes an object with the ROS node in its attribute `node`, and a method `close`.
        args: Command line; that of the process by default.
        spin: Runs it; by default answers its callbacks.

    Returns:
        The exit code of the process: 0 after Ctrl-C or a shutdown, 1 if the user must act.
    """
    program = None
    try:
        rclpy.init(args=list(sys.argv if args is None else args))
        program = make()
        gc.collect()
        gc.freeze()
        (spin or _spin)(program)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    except (RobcogenError, ValueError) as error:
        _complain(program, str(error))
        return 1
    except Exception:
        # A shutdown in the middle of a call makes that call fail.
        if rclpy.ok():
            raise
    finally:
        _close(program)
    return 0


def executor() -> Any:
    """The fastest executor that this ROS has."""
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:
        return SingleThreadedExecutor()
    return EventsExecutor()


def _spin(program: Any) -> None:
    spinner = executor()
    spinner.add_node(program.node)
    spinner.spin()


def _complain(program: Any, message: str) -> None:
    if program is None:
        print(f"error: {message}", file=sys.stderr)
    else:
        program.node.get_logger().fatal(message)


def _close(program: Any) -> None:
    try:
        if program is not None:
            program.close()
            program.node.destroy_node()
        rclpy.try_shutdown()
    except KeyboardInterrupt:
        rclpy.try_shutdown()

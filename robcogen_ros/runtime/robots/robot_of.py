"""The robot behind an evaluator."""

from __future__ import annotations

from robcogen_ros.runtime.arguments import checked_count
from robcogen_ros.runtime.evaluators.evaluator import Evaluator
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot


def robot_of(evaluator: Evaluator, threads: int = 1) -> FixedBaseRobot | FloatingBaseRobot:
    """The robot that an evaluator computes, calls for many states by some threads."""
    evaluator.threads = checked_count("threads", threads, 1)
    kind = FloatingBaseRobot if evaluator.summary.floating_base else FixedBaseRobot
    return kind(evaluator)

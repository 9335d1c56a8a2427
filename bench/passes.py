"""What each means of saving operations is worth: all of them, and all but one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from bench.comparison import SUBJECTS
from robcogen_ros.algorithms.common_functions import common_functions
from robcogen_ros.algorithms.fewest_numbers import with_fewest_numbers
from robcogen_ros.algorithms.fixed_base_functions import fixed_base_functions
from robcogen_ros.algorithms.floating_base_functions import floating_base_functions
from robcogen_ros.algorithms.function import Function
from robcogen_ros.bench.measured import DERIVATIVES, FUNCTIONS
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.graph import Rule
from robcogen_ros.program.library import default, operation_counts
from robcogen_ros.program.passes.cancel import cancel
from robcogen_ros.program.passes.gather import gather
from robcogen_ros.program.passes.specialise import specialise
from robcogen_ros.program.trace import RULES, trace

Form = Callable[[Function], Function]

_LARGEST = 40
"""Joints of the largest random tree: larger ones only take longer."""


def _without(rule: Rule) -> tuple[Rule, ...]:
    return tuple(each for each in RULES if each is not rule)


def _same(function: Function) -> Function:
    return function


SWITCHES: dict[str, tuple[Form, tuple[Rule, ...]]] = {
    "all": (with_fewest_numbers, RULES),
    "no minimal inertias, no chosen frames": (_same, RULES),
    "no chosen frames": (lambda f: replace(with_fewest_numbers(f), prepare=None), RULES),
    "no gathering": (with_fewest_numbers, _without(gather)),
    "no cancelling": (with_fewest_numbers, _without(cancel)),
    "one way each": (lambda f: replace(with_fewest_numbers(f), otherwise=None), RULES),
}
"""What a column leaves out: the form of a function, and the rules it is traced with."""


def rows() -> Iterator[tuple[str, str, list[int]]]:
    """Robot, function, and its operations under each switch."""
    for subject in SUBJECTS:
        if subject.joints > _LARGEST:
            continue
        robot = subject.read()
        for function in FUNCTIONS:
            if function.result == DERIVATIVES:
                continue
            name = function.of(robot.floating_base)
            counts = [_operations(robot, name, *switch) for switch in SWITCHES.values()]
            yield subject.title, function.name, counts


def _operations(robot: Robot, name: str, form: Form, rules: tuple[Rule, ...]) -> int:
    """Operations of the usual form of a function, by the shorter of its ways."""
    own = floating_base_functions if robot.floating_base else fixed_base_functions
    plain = {function.name: function for function in (*own(robot), *common_functions(robot))}
    function = form(plain[name])
    ways = [function.compute, *([function.otherwise] if function.otherwise else [])]
    bindings = {a.name: default(a) for a in function.inputs if a.optional}
    programs = (trace(replace(function, compute=way), robot, rules) for way in ways)
    return min(
        sum(operation_counts(specialise(program, bindings, rules)).values()) for program in programs
    )

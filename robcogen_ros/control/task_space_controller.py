"""A controller of a tool without its middleware: states and references in, efforts out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.control.cycles import Cycles
from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.joint_order import per_joint
from robcogen_ros.errors import RobcogenError
from robcogen_ros.parameters.table import Parameter, table
from robcogen_ros.runtime.arguments import checked_array
from robcogen_ros.runtime.robots.frames import Frames


class TaskSpaceController(Cycles):
    """Keeps a tool on its reference and carries the robot's weight when its states stop coming.

    All but names of joints and clocks is the controller in C++ of docs/task_space_controller.md.
    """

    def __init__(
        self,
        robot: Any,
        base: str,
        tool: str,
        settings: Mapping[str, ArrayLike | str | None],
        *,
        state_timeout: float,
    ) -> None:
        """Knows nothing yet.

        Args:
            robot: The robot, on a fixed base.
            base: Name of the frame that references are in.
            tool: Name of the frame that is controlled.
            settings: Parameters of docs/task_space_controller.md by name: numbers and words; a list
                of joints has a number for all, one a joint, or none.
            state_timeout: Longest time without states [s]; 0: for ever.

        Raises:
            RobcogenError: If a word is none of its choices, there is no such frame, no joint leads
                from one to the other, one that does follows others in a way that is not linear, the
                robot lacks a function, or there is no compiler.
        """
        frames = tool_frames(robot, base, tool)
        given = {**_in_numbers(settings, robot.n), "frames": frames}
        self._request: dict[str, ArrayLike | None] = {}
        super().__init__(robot, "task_space_controller", given, state_timeout)

    def ask(
        self,
        *,
        pose: ArrayLike | None = None,
        twist: ArrayLike | None = None,
        wrench: ArrayLike | None = None,
    ) -> None:
        """Takes a reference over with the next state; what is left out stays as it is.

        Args:
            pose: (7,) of the tool in the base frame: position [m], quaternion x, y, z, w.
            twist: (6,) of the tool's origin in the base frame, angular first [rad/s, m/s].
            wrench: (6,) of the tool on the world, about the tool's origin in the axes of the base
                frame, torque first [N m, N].

        Raises:
            ValueError: If one has another shape.
        """
        given = {"pose": (pose, 7), "twist": (twist, 6), "wrench": (wrench, 6)}
        self._request |= {
            name: checked_array(name, value, (size,))
            for name, (value, size) in given.items()
            if value is not None
        }

    def use(self, settings: Mapping[str, ArrayLike | str | None]) -> None:
        """Goes on with other settings of the law, as those that it was made of.

        Raises:
            RobcogenError: If one is out of its range; all stay as they are.
        """
        super().use(_in_numbers(settings, self._robot.n))

    def report(self) -> dict[str, Array]:
        """Returns what the last cycle found: `pose`, `target`, `error`, `wrench` and more."""
        return self._object.results("update")

    def restart(self) -> None:
        """Forgets states and reference; the next state's pose is held."""
        self._request.clear()
        super().restart()

    def _wanted(self, time: float) -> dict[str, ArrayLike | None]:
        del time
        request, self._request = self._request, {}
        return request

    def _begin(self, found: Mapping[str, Array], time: float) -> None:
        del found, time
        self._request.clear()


def _in_numbers(settings: Mapping[str, Any], joints: int) -> dict[str, ArrayLike | None]:
    """Returns settings as numbers: of words their places among the choices, of lists one a joint.

    Raises:
        RobcogenError: If a word is none of its choices, a number is out of its range, or a list has
            neither one number nor one a joint.
    """
    rows, found = {row.name: row for row in table("task_space_controller")}, dict(settings)
    for name, value in settings.items():
        row = rows.get(name)
        if row and row.numeric and value is not None and not isinstance(value, str):
            _check_range(row, value)
        if isinstance(value, str):
            known = row.choices if row else ()
            if value not in known:
                expected = f"one of {', '.join(known)}" if known else "numbers"
                raise RobcogenError(f"{name}: expected {expected}, found '{value}'")
            found[name] = float(known.index(value))
        elif row and row.type == "double_array" and not np.size(value):
            found[name] = None
        elif row and row.type == "double_array" and not row.size:
            found[name] = per_joint(name, np.ravel(value).tolist(), range(joints), joints)
    return found


def _check_range(row: Parameter, value: ArrayLike) -> None:
    numbers = np.ravel(value).tolist()
    problem = row.problem(numbers if row.type == "double_array" else numbers[0])
    if problem:
        raise RobcogenError(problem)


def tool_frames(robot: Any, base: str, tool: str) -> tuple[int, int]:
    """Returns the numbers of two frames between which a tool can be controlled.

    Raises:
        RobcogenError: If it cannot.
    """
    for name, parameter in ((base, "base_frame"), (tool, "tool_frame")):
        if not name:
            raise RobcogenError(f"{parameter}: expected the name of a frame, found none")
    summary = robot._evaluator.summary
    known = Frames(summary)
    numbers = known.index(base, "base_frame"), known.index(tool, "tool_frame")
    of_base, of_tool = (set(summary.supports[summary.frames[number].link]) for number in numbers)
    if of_base == of_tool:
        raise RobcogenError(f"tool_frame: no joint leads from '{base}' to '{tool}'")
    for joint in (summary.joints[k] for k in sorted(of_base | of_tool)):
        if joint.dependent or joint.more:
            raise RobcogenError(
                f"tool_frame: joint '{joint.name}', which moves '{tool}' or '{base}', follows "
                "others through a loop, or several; expected joints that move by themselves or "
                "follow one other in proportion"
            )
    return numbers

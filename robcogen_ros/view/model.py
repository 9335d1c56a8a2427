"""A robot with all that is to be seen of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.formats.read import Reading
from robcogen_ros.formats.source import Source
from robcogen_ros.model.names import listed, nearest
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.expression import Expression, expression
from robcogen_ros.program.library import Library
from robcogen_ros.program.step_costs import by_link
from robcogen_ros.runtime.build import evaluator_of
from robcogen_ros.runtime.robots.robot_of import robot_of
from robcogen_ros.standing.footing import Footing, footing, standing_state
from robcogen_ros.standing.legs import find_feet
from robcogen_ros.standing.posture import Legs
from robcogen_ros.standing.shapes import shapes as link_shapes
from robcogen_ros.standing.statics import FUNCTIONS, Statics
from robcogen_ros.view.ellipsoids import Ellipsoid, inertia_ellipsoids
from robcogen_ros.view.surfaces import Surface, surfaces

Array = NDArray[np.float64]

_POSTURES, _EASY = 300, 0.4
"""Number of postures that are tried; the share of the best manipulability that is enough."""
COUNTED = ("inverse_dynamics", "forward_dynamics", "inertia_matrix", "gravity_torques")
"""Functions whose operations are shown by link."""


@dataclass(frozen=True)
class Model:
    """A robot with all that is to be seen of it.

    Attributes:
        tree: The robot as functions are generated from it.
        robot: The same to compute with, interpreted.
        surfaces: Of its links.
        ellipsoids: Of equal inertia.
        footing: What it stands on.
        problems: What is left out, or odd.
    """

    tree: Robot
    robot: Any
    surfaces: tuple[Surface, ...]
    ellipsoids: tuple[Ellipsoid, ...]
    footing: Footing
    problems: tuple[Problem, ...]

    @cached_property
    def statics(self) -> Statics:
        """The statics of its weight."""
        return Statics(self.robot, self.footing.feet)

    @cached_property
    def own_frames(self) -> tuple[int, ...]:
        """The frame of the file's link that each body is named after, by its index."""
        return tuple(self.robot.link_frames[link.name] for link in self.tree.links)

    def operations(self, function: str) -> tuple[list[int], int]:
        """Operations of a function by body, and of what belongs to none.

        Raises:
            RobcogenError: If the robot has no such function.
        """
        library = Library(self.tree, [function])
        return by_link(library.entry(function).fastest, self.tree)

    def posture(self, name: str, given: Mapping[str, float]) -> Array:
        """Positions of the joints.

        Args:
            name: "standing" (a robot on legs on its feet, others bent), "middle" of all ranges,
                or "zero".
            given: Positions of single joints [rad or m].

        Raises:
            RobcogenError: If there is no such joint, or the robot cannot stand.
        """
        q = np.clip(np.zeros(self.robot.n), self.robot.lower_limits, self.robot.upper_limits)
        if name == "standing" and self.footing.contacts:
            legs = Legs(self.robot, self.footing.feet)
            q = legs.standing(self.footing.standing).q.copy()
        elif name == "standing":
            q = self._bent()
        elif name == "middle":
            q = self._amidst()
        names = list(self.robot.joint_names)
        for joint, value in given.items():
            if joint not in names:
                known = ", ".join(names)
                raise RobcogenError(f"--posture: there is no joint '{joint}'; there are {known}")
            q[names.index(joint)] = value
        return q

    @cached_property
    def tip(self) -> str:
        """The first of the frames that most joints move."""
        depth = [len(self.tree.support(frame.link)) for frame in self.tree.frames]
        return self.tree.frames[depth.index(max(depth))].name

    def _bent(self) -> Array:
        """Joints amidst their ranges; elsewhere, if the tip can hardly move from there.

        It is the posture of some, none of whose frames is below the base, from which the tip moves
        most easily, and whose frames are high.
        """
        middle = self._amidst()
        reach = np.minimum(self.robot.upper_limits - self.robot.lower_limits, 2 * np.pi) / 4
        random = np.random.default_rng(0).uniform(-1.0, 1.0, (_POSTURES, self.robot.n))
        q = np.vstack([middle, middle + reach * random])
        rows = slice(0 if self.robot.n >= 6 else 3, 6)
        J = self.robot.jacobian(self.robot.link_names[0], self.tip, q)[:, rows]
        closed = np.isfinite(J).all(axis=(1, 2))  # loops may bind at some
        if not closed[0]:
            middle = q[np.argmax(closed)]
        J[~closed] = 0.0
        measures = np.sqrt(np.maximum(np.linalg.det(J @ J.swapaxes(1, 2)), 0.0))
        heights = np.nan_to_num(self.robot.frame_poses(q)[:, :, 2, 3])
        measures[1:] *= np.maximum(heights[1:].mean(axis=1), 0.0)
        measures[1:][heights[1:].min(axis=1) < min(0.0, heights[0].min())] = 0.0
        measures[0] *= max(float(heights[0].mean()), 0.0)
        best = int(np.argmax(measures))
        return np.asarray(q[best] if measures[0] < _EASY * measures[best] else middle)

    def _amidst(self) -> Array:
        """Amidst ranges of less than a turn, else at zero."""
        lower, upper = self.robot.lower_limits, self.robot.upper_limits
        ranges = upper - lower
        bounded = np.isfinite(ranges)
        middle = 0.5 * (np.where(bounded, lower, 0.0) + np.where(bounded, upper, 0.0))
        return np.where(bounded, middle, 0.0)


def make(
    reading: Reading,
    package_paths: Mapping[str, str],
    model: Path | Source,
    srdf: str | None = None,
    contacts: Sequence[str] = (),
    values: Mapping[str, float] | None = None,
) -> Model:
    """Makes the model that is seen of a robot.

    A robot on legs floats, whatever its file says.

    Args:
        reading: The robot.
        package_paths: Directories of packages that hold meshes.
        model: Its file, or its text if that is none.
        srdf: SRDF with a state in which it stands; by default that beside its file.
        contacts: Its feet, if it is on legs; found if there are none.
        values: Of its parameters; those of the file by default.

    Raises:
        RobcogenError: If a parameter has no value, or the SRDF or a contact is wrong.
    """
    robot = _with_values(reading.robot, values or {})
    shapes = reading.description.shapes
    standing, odd = standing_state(model, reading, srdf)
    on_legs = robot.floating_base or find_feet(robot).contacts
    contacts = contacts if on_legs else ()
    found = footing(
        robot, lambda links: link_shapes(shapes, links, package_paths), standing, contacts
    )
    floats = robot.floating_base or bool(found.contacts)
    tree = replace(robot, contacts=found.contacts, floating_base=floats)
    parts, problems = surfaces(shapes, package_paths)
    known = {frame.of_link for frame in tree.frames}
    return Model(
        tree,
        robot_of(evaluator_of(tree, FUNCTIONS, backend="numpy")),
        tuple(part for part in parts if part.link in known),
        tuple(inertia_ellipsoids(tree, reading.description)),
        found,
        (*odd, *problems),
    )


def _with_values(robot: Robot, values: Mapping[str, float]) -> Robot:
    """The robot with its parameters at values.

    Raises:
        RobcogenError: If it has no such parameter, or one has neither a value nor a default.
    """
    names = [parameter.name for parameter in robot.parameters]
    for name in values:
        if name not in names:
            raise RobcogenError(f"--set: the model has no parameter '{name}'{nearest(name, names)}")
    given = {name: number.number(value) for name, value in values.items()}
    missing = [p.name for p in robot.parameters if p.default is None and p.name not in given]
    if missing:
        raise RobcogenError(
            f"parameters without a value: {listed(missing)}; give each by --set NAME=VALUE"
        )
    if not names:
        return robot
    fixed = robot.map(lambda scalar: Expression(value=expression(scalar).evaluate(given)))
    return replace(fixed, parameters=())

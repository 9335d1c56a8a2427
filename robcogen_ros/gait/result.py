"""A gait that was found: trajectories, and the files that hold them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats import yaml_text
from robcogen_ros.gait.bounds import Bound
from robcogen_ros.gait.solve import Solution
from robcogen_ros.gait.terrain import ground_axes, rotations

SCHEDULES = (".schedule.yaml", ".schedule.yml")
"""Ends of names of files that tell which feet stand when."""

VARIABLES, MULTIPLIERS = "variables", ("variable_multipliers", "row_multipliers")
"""Names in a file of what another search begins with."""

_FLAT = 1e-4
"""Heights of feet above each other on ground that is flat [m]."""


@dataclass(frozen=True, slots=True)
class Gait:
    """A stride, at the instants where its equations hold; in SI units.

    At the instant where a foot lands there are two rows, before and after the impact.

    Attributes:
        joint_names: Names of the joints.
        contacts: The feet.
        feet: Their frames.
        times: Of the instants (k).
        position: Of the base's origin in the world (k, 3).
        orientation: Roll, pitch and yaw of the base (k, 3), `R = Rz Ry Rx`.
        q: Joint positions (k, n).
        base_velocity: Of the base in its own coordinates, angular first (k, 6).
        qd: Joint velocities (k, n).
        base_acceleration: Spatial acceleration of the base, in its coordinates (k, 6).
        qdd: Joint accelerations (k, n).
        tau: Joint forces (k, n).
        forces: Resultant force of the ground on each foot, in axes of the world (k, contacts, 3).
        standing: Which feet stand (k, contacts).
        duty: Share of the stride in which each foot stands (contacts).
        phases: Share of the stride after which each foot lands (contacts).
        friction: Coefficient of the ground.
        effort_limits: What the joint forces may be, at their velocities (k, n).
        impulses: Of each foot where some foot lands, with the time (events, 1 + 3 contacts).
        duration: Of the stride.
        speed: Mean velocity ahead.
        merit: What was minimised.
        error: The largest one of an interval of the grid, see `Specification.accuracy`.
        knots: Where intervals of each phase begin and end, as shares of the stride.
        solution: How the search ended.
        notes: What should be known of it.
        design: Values of the parameters of the robot that were sought.
        ground_normal: Of the ground in the world (3,).
        footholds: Where each foot touches the ground after it has landed in this stride, in the
            world (contacts, 3).
        bounds: What holds it, the dearest first.
    """

    joint_names: Sequence[str]
    contacts: Sequence[str]
    feet: Sequence[str]
    times: Array
    position: Array
    orientation: Array
    q: Array
    base_velocity: Array
    qd: Array
    base_acceleration: Array
    qdd: Array
    tau: Array
    forces: Array
    standing: Array
    duty: Array
    phases: Array
    friction: float
    effort_limits: Array
    impulses: Array
    duration: float
    speed: float
    merit: float
    error: float
    knots: Array
    solution: Solution
    notes: Sequence[str] = ()
    design: Mapping[str, float] = field(default_factory=dict)
    ground_normal: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    footholds: Array = field(default_factory=lambda: np.zeros((0, 3)))
    bounds: Sequence[Bound] = ()

    def base_poses(self) -> Array:
        """Poses of the base in the world, `R = Rz(yaw) Ry(pitch) Rx(roll)` (k, 4, 4)."""
        poses = np.tile(np.eye(4), (len(self.times), 1, 1))
        poses[:, :3, :3], poses[:, :3, 3] = rotations(self.orientation), self.position
        return poses

    def on_ground(self) -> tuple[Array, Array]:
        """Poses of the base (k, 4, 4) and forces in axes of the ground, whose z is its normal."""
        turn = np.eye(4)
        turn[:3, :3] = ground_axes(self.ground_normal).T
        return turn @ self.base_poses(), self.forces @ turn[:3, :3].T

    @property
    def steps(self) -> bool:
        """True if its feet stand at several heights above the plane of the ground."""
        climbs = (self.position[-1] - self.position[0]) @ self.ground_normal
        return bool(np.ptp([*self.footholds @ self.ground_normal, climbs, 0.0]) > _FLAT)

    def arrays(self) -> Mapping[str, Any]:
        """All arrays by their names, as `.npz` files have them."""
        names = ("times", "position", "orientation", "q", "base_velocity", "qd")
        solution = self.solution
        ended = dict(zip(MULTIPLIERS, solution.multipliers, strict=True)) | {VARIABLES: solution.x}
        more = ("base_acceleration", "qdd", "tau", "forces", "standing", "impulses")
        last = ("duty", "phases", "effort_limits", "knots", "ground_normal", "footholds")
        found = {name: np.asarray(getattr(self, name)) for name in (*names, *more, *last)}
        scalars = ("duration", "speed", "merit", "friction", "error")
        numbers = {name: np.asarray(getattr(self, name)) for name in scalars}
        words = {name: np.array(getattr(self, name)) for name in ("joint_names", "contacts")}
        words["design_names"] = np.array([*self.design], dtype=str)
        numbers["design"] = np.array([*self.design.values()])
        return found | numbers | words | ended

    def save(self, path: str | Path) -> None:
        """Writes it: `.npz`, `.csv`, or `.yaml`.

        The last is a trajectory_msgs/JointTrajectory with efforts, or, in a file named
        `.schedule.yaml`, which feet stand when.

        Args:
            path: The file.

        Raises:
            RobcogenError: If the name ends otherwise.
        """
        path = Path(path)
        if path.name.endswith(SCHEDULES):
            path.write_text(self._schedule(), encoding="utf-8")
        elif path.suffix == ".npz":
            np.savez(path, **self.arrays())
        elif path.suffix == ".csv":
            path.write_text(self._csv(), encoding="utf-8")
        elif path.suffix in (".yaml", ".yml"):
            path.write_text(self._trajectory(), encoding="utf-8")
        else:
            raise RobcogenError(f"{path}: expected a name that ends in .npz, .csv or .yaml")

    def _schedule(self) -> str:
        """Duty and phases as the gaits of a controller take them, and the same as seconds."""
        duty = self.duty.tolist()
        same = len({*duty}) == 1
        lines = [
            f"period: {self.duration:.10g}",
            f"duty: {duty[0]:.10g}" if same else f"duty: {_by_name(self.feet, duty)}",
            f"phases: {_by_name(self.feet, self.phases.tolist())}",
            "stance:",
        ]
        for foot, share, phase in zip(self.feet, duty, self.phases.tolist(), strict=True):
            begin, end = phase * self.duration, (phase + share) * self.duration
            lines.append(f"  {yaml_text.name(foot)}: [{begin:.10g}, {end:.10g}]")
        return "\n".join(lines) + "\n"

    def _csv(self) -> str:
        """A row an instant: what `control/gait_file.hpp` reads."""
        axes = [f"{kind}_{{}}.{axis}" for kind in ("angular", "linear") for axis in "xyz"]
        of_joints = [f"{joint}.{{}}" for joint in self.joint_names]
        rows = len(self.times)
        forces = self.forces.reshape(rows, -1)
        columns = (
            (["time", *"xyz", "roll", "pitch", "yaw"], self.times, self.position, self.orientation),
            ([name.format("position") for name in of_joints], self.q),
            ([name.format("velocity") for name in of_joints], self.qd),
            ([name.format("effort") for name in of_joints], self.tau),
            ([f"{foot}.force.{axis}" for foot in self.contacts for axis in "xyz"], forces),
            ([name.format("acceleration") for name in of_joints], self.qdd),
            ([name.format("velocity") for name in axes], self.base_velocity),
            ([name.format("acceleration") for name in axes], self.base_acceleration),
            ([f"{foot}.stance" for foot in self.contacts], self.standing),
            ([f"ground_normal.{axis}" for axis in "xyz"], np.tile(self.ground_normal, (rows, 1))),
        )
        table = np.column_stack([part for _, *parts in columns for part in parts])
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([name for names, *_ in columns for name in names])
        writer.writerows([f"{value:.12g}" for value in row] for row in table)
        return text.getvalue()

    def _trajectory(self) -> str:
        lines = [
            "joint_names:",
            *(f"- {yaml_text.name(name)}" for name in self.joint_names),
            "points:",
        ]
        last = -1.0
        for i, time in enumerate(self.times):
            if time <= last + 1e-9:
                continue
            last = float(time)
            for number, (what, values) in enumerate(
                (
                    ("positions", self.q),
                    ("velocities", self.qd),
                    ("accelerations", self.qdd),
                    ("effort", self.tau),
                )
            ):
                row = ", ".join(f"{value:.10g}" for value in values[i])
                lines.append(f"{' ' if number else '-'} {what}: [{row}]")
            seconds, nanoseconds = divmod(round(last * 1e9), 10**9)
            lines.append(f"  time_from_start: {{sec: {seconds}, nanosec: {nanoseconds}}}")
        return "\n".join(lines) + "\n"


def _by_name(names: Sequence[str], values: Sequence[float]) -> str:
    pairs = zip(names, values, strict=True)
    rows = (f"{yaml_text.name(name)}: {value:.10g}" for name, value in pairs)
    return f"{{{', '.join(rows)}}}"

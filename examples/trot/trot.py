"""A trot: found by trajectory optimisation, then played on the simulated ground.

    python trot.py                                   the quadruped of examples/my_quadruped
    python trot.py hyq.urdf trot.yaml --strides 20   another robot, another gait, for longer

The whole-body controller that tracks the gait is the compiled one of the nodes and of ros2_control.
Tells how near the robot comes to its gait, and draws it: trot.png. See docs/gaits.md, "Played".
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait import Gait, Playback, find_gait, read_settings
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.plots import style
from robcogen_ros.plots.legged import draw_footfalls
from robcogen_ros.progress import say, shown
from robcogen_ros.runtime.objects import Fault
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import Footing, find_footing

Array = NDArray[np.float64]

HERE = Path(__file__).resolve().parent
ROBOT = HERE.parent / "my_quadruped" / "description" / "my_quadruped.urdf.xacro"
STATE = ("q", "position", "orientation", "base_velocity", "qd")

STEP = 1e-3
"""Of control and simulation [s]."""
GROUND, TRUSTED = 0.7, 0.6
"""Friction of the ground, and the one that the controller reckons with; that of the gait is less,
so that control has something left."""
SETTINGS = {
    "friction": TRUSTED,
    "landing_speed": 0.3,
    "foot_gains": (2500, 100),
    "orientation_weight": 10.0,
}
"""Of the whole-body controller, where they are not the usual ones: feet follow closer, late ones
are lowered faster, and a trunk that cannot do both rather turns than moves as wanted."""
START = 0.01
"""Where in its gait the robot starts, after an impact [s]."""
SETTLING = 2
"""Strides at the start that the report leaves out."""
PRESSED = 0.05
"""Least normal force of a foot of which friction is told, as a share of the weight."""
FALLEN = 0.6
"""Angle between a trunk and its gait at which the robot has fallen [rad]."""


@dataclass(frozen=True, slots=True)
class Played:
    """What happened, a row a step.

    Attributes:
        faults: Of the controller, and how often.
        ended: Why it ended early; empty if it did not.
        time: At the end of each step [s].
        position: Of the base (k, 3) [m].
        wanted: Where it was to be (k, 3) [m].
        angle: By which the base was turned from how it was to be (k,) [rad].
        velocity: Of the base ahead (k,) [m/s].
        efforts: Of the joints (k, n).
        planned: Those of the gait (k, n).
        forces: Of the ground on the feet (k, feet, 3), axes of the world [N].
        touching: Which feet touched the ground (k, feet).
        standing: Which feet were to stand (k, feet).
    """

    faults: Counter[str]
    ended: str
    time: Array
    position: Array
    wanted: Array
    angle: Array
    velocity: Array
    efforts: Array
    planned: Array
    forces: Array
    touching: NDArray[np.bool_]
    standing: NDArray[np.bool_]

    def friction(self, weight: float) -> Array:
        """Tangential by normal forces (k, feet); NaN where a foot is hardly pressed."""
        normal = self.forces[..., 2]
        across = np.linalg.norm(self.forces[..., :2], axis=-1)
        return np.where(normal > PRESSED * weight, across / np.maximum(normal, 1e-9), np.nan)

    def landings(self) -> Array:
        """How late feet touched the ground, a number a swing [s]."""
        late = []
        for touches, stands in zip(self.touching.T, self.standing.T, strict=True):
            changes = np.diff(stands.astype(int), prepend=stands[0])
            lifts, lands = np.flatnonzero(changes < 0), np.flatnonzero(changes > 0)
            for land in lands[np.searchsorted(lands, lifts[0]) :] if len(lifts) else ():
                middle = (land + lifts[lifts < land][-1]) // 2
                touched = np.flatnonzero(touches[middle:])
                late += [STEP * float(middle + touched[0] - land)] if len(touched) else []
        return np.array(late)


def play(robot: Any, footing: Footing, gait: Gait, strides: float) -> Played:
    """Has a robot do a gait, from the state that the gait has it in."""
    playback = Playback(robot, gait, time=START)
    soles, normal = footing.soles or None, gait.ground_normal
    ground = robot.ground(
        friction=GROUND, plane_normal=normal, radii=footing.radii or None, soles=soles
    )
    controller = robot.whole_body_controller(soles=soles, ground_normal=normal, **SETTINGS)
    ground.place(**playback.state)
    rows, faults, ended = [], Counter[str](), ""
    for k in range(round(strides * gait.duration / STEP)):
        state, touching = {name: getattr(ground, name) for name in STATE}, ground.touches
        wanted = playback.update(**state, closed=touching, cycle=STEP if k else 0.0)
        command = controller.compute(
            **state,
            closed=touching,
            trunk=wanted.trunk,
            swing=wanted.swing,
            posture=wanted.posture,
            wrenches=wanted.wrenches,
        )
        faults.update(command.faults)
        try:
            ground.advance(command.efforts, STEP)
        except Fault as fault:
            ended = str(fault)
            break
        planned = playback.at(playback.time)
        now = playback.at(playback.time + STEP)
        turn = rotation(ground.orientation)
        angle = np.arccos(np.clip(0.5 * (np.trace(now.turn.T @ turn) - 1.0), -1.0, 1.0))
        place = ground.position, wanted.trunk.position + STEP * wanted.trunk.linear_velocity
        speed = (turn @ ground.base_velocity[3:])[0]
        forces, standing = ground.wrenches[:, 3:], planned.standing
        efforts = command.efforts, planned.tau
        rows.append(((k + 1) * STEP, *place, angle, speed, *efforts, forces, touching, standing))
        if angle > FALLEN:
            ended = "the robot has fallen"
            break
    columns: list[Any] = [np.array(column) for column in zip(*rows, strict=True)]
    return Played(faults, ended, *columns)


def report(robot: Any, gait: Gait, played: Played) -> str:
    """How near the robot came to its gait."""
    rows = played.time > SETTLING * gait.duration
    if played.ended or not rows.any():
        lasted = played.time[-1] / gait.duration
        return f"{robot.name}: ended after {lasted:.1f} strides: {played.ended or 'too short'}"
    place, limits = played.position[rows], robot.effort_limits
    ahead = gait.position[-1] - gait.position[0]
    ahead /= np.linalg.norm(ahead)
    way, lasted = (place[-1] - place[0]) @ ahead, STEP * (len(place) - 1)
    error = 1e3 * np.sqrt(np.mean((place - played.wanted[rows]) ** 2, axis=0))
    merits = [
        STEP * float(np.sum((efforts[rows] / limits) ** 2)) / length
        for efforts, length in (
            (played.efforts, way),
            (played.planned, (played.wanted[rows][-1] - played.wanted[rows][0]) @ ahead),
        )
    ]
    most = [np.abs(efforts[rows] / limits).max() for efforts in (played.efforts, played.planned)]
    used = played.friction(9.81 * robot.total_mass())[rows]
    late = 1e3 * played.landings()
    right = (played.touching == played.standing)[rows].mean()
    faults = ", ".join(f"{name} {count}" for name, count in played.faults.items()) or "none"
    return "\n".join(
        [
            f"{robot.name}: {played.time[-1] / gait.duration:.0f} strides of {gait.duration:.3g} s "
            f"at {way / lasted:.4f} m/s; the gait has {gait.speed:.4f} m/s",
            f"  trunk        off by {error[0]:.1f}, {error[1]:.1f}, {error[2]:.1f} mm (rms ahead, "
            f"left, up) and {1e3 * np.sqrt(np.mean(played.angle[rows] ** 2)):.1f} mrad",
            f"  efforts      up to {most[0]:.2f} of the limits; the gait needs {most[1]:.2f}",
            f"  friction     {np.nanmedian(used):.2f} at the median, "
            f"{np.nanpercentile(used, 99):.2f} at 99 %; the gait may use {gait.friction:.2f}, the "
            f"controller {TRUSTED:.2f}, the ground has {GROUND:.2f}",
            f"  energy merit {merits[0]:.4f}; that of the gait {merits[1]:.4f}",
            f"  contacts     as they are to be {100 * right:.1f} % of the time; feet land "
            f"{np.mean(late):.1f} ms late on average, {late.min():.0f} to {late.max():.0f} ms",
            f"  faults       {faults}, in {len(played.time)} cycles",
        ]
    )


def draw(robot: Any, gait: Gait, played: Played, path: Path) -> None:
    """Speed and error of the trunk, footfalls, forces and efforts of the last strides."""
    rows = played.time > played.time[-1] - 4 * gait.duration
    time, limits = played.time[rows], robot.effort_limits
    with style.picture(path, (11.0, 12.0)) as figure:
        speed, error, falls, normal, effort = figure.subplots(5, 1, sharex=True)
        figure.suptitle(f"{robot.name}: a gait played on the ground, its last strides")
        planned = {"color": style.ink(), "linestyle": ":", "linewidth": 1}
        velocity = np.gradient(played.wanted[rows, 0], STEP)
        speed.plot(time, played.velocity[rows], label="played")
        speed.plot(time, velocity, label="gait", **planned)
        speed.set_title("Speed of the trunk ahead [m/s]")
        for axis, name in enumerate(("ahead", "left", "up")):
            away = 1e3 * (played.position - played.wanted)[rows, axis]
            error.plot(time, away, label=f"{name} [mm]")
        error.plot(time, 1e3 * played.angle[rows], label="turned [mrad]")
        error.set_title("Error of the trunk")
        draw_footfalls(falls, time, played.touching[rows], gait.contacts)
        falls.set_title("Which feet touch the ground; outlined: are to stand")
        for i, stands in enumerate(played.standing[rows].T):
            edge = i + np.where(stands, 0.42, np.nan)
            for side in (edge, 2 * i - edge):
                falls.plot(time, side, color=style.ink(), linewidth=1)
        for i, name in enumerate(gait.contacts):
            normal.plot(time, played.forces[rows, i, 2], color=f"C{i}", linewidth=1, label=name)
        normal.set_ylim(0.0, 1.2 * np.percentile(played.forces[rows, :, 2], 98))
        normal.set_title("Normal forces of the feet [N]; impacts reach beyond")
        for part, look in ((played.efforts, {"linewidth": 0.8}), (played.planned, planned)):
            shares = np.abs(part[rows] / limits).max(axis=1)
            effort.plot(time, shares, label="gait" if part is played.planned else "played", **look)
        effort.set_title("Largest effort, as a share of its limit")
        effort.set_xlabel("time [s]")
        for axes in (speed, error, normal, effort):
            style.beside_axes(axes)


def main() -> int:
    """Finds a gait and plays it; returns the exit code."""
    parser = argparse.ArgumentParser(description="Finds a gait and plays it on the ground.")
    parser.add_argument("robot", nargs="?", type=Path, default=ROBOT, help="URDF, xacro or DSL")
    parser.add_argument("settings", nargs="?", type=Path, default=HERE / "trot.yaml")
    parser.add_argument("--foot", action="append", default=[], metavar="FRAME[:pose]")
    parser.add_argument("--strides", type=float, default=12.0)
    parser.add_argument("--plot", type=Path, default=Path("trot.png"))
    options = parser.parse_args()
    try:
        with shown():
            footing = find_footing(options.robot, contacts=options.foot)
            say(f"Generating and compiling code for a robot that {footing.told}")
            robot = build_standing(options.robot, {}, footing)
            wanted = read_settings(options.settings)
            gait = find_gait(robot, footing.feet, wanted, standing=footing.standing)
            if not gait.solution.succeeded:
                raise RobcogenError(f"no gait was found: {gait.solution.status}")
            played = play(robot, footing, gait, options.strides)
            print(report(robot, gait, played))
            draw(robot, gait, played, options.plot)
    except RobcogenError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 1 if played.ended else 0


if __name__ == "__main__":
    raise SystemExit(main())

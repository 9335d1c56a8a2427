"""The command excite: a motion from which a robot's inertial parameters can be identified."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.backends.render import beside
from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run
from robcogen_ros.cli.files.writing import check_output, write
from robcogen_ros.cli.options.model import add_model_options, read_model, read_text, warn
from robcogen_ros.cli.options.plot import add_background_option
from robcogen_ros.cli.options.recording import positive
from robcogen_ros.cli.view import model_with_shapes
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.formats.read import Reading
from robcogen_ros.formats.source import Source
from robcogen_ros.identification.capsules import Clearance, capsules
from robcogen_ros.identification.excitation import Bounds, Excitation, Search
from robcogen_ros.plots import style
from robcogen_ros.program.library import Library
from robcogen_ros.progress import task
from robcogen_ros.recordings import Motion
from robcogen_ros.recordings.written_bag import write_bag
from robcogen_ros.runtime.compiling.compile import build_compiled
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.robot_of import robot_of
from robcogen_ros.view.server import serving
from robcogen_ros.view.trajectory import Trajectory, page

Array = NDArray[np.float64]

_FUNCTIONS = ("inverse_dynamics", "inverse_dynamics_regressor", "kinematics")
_RANDOM = 5
_BAG = ""
"""Ending of a bag, which is a folder."""
_PAGES = 25.0
"""States a second of a page."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "excite",
        "Find a motion that tells the inertial parameters of a robot with a fixed base, begins "
        "and ends at rest, and keeps a share of its limits of position, velocity and effort. "
        "Record it, and give the recording to identify: docs/identification.md.",
        "arm.urdf -o motion.yaml",
    )
    add_model_options(parser)
    parser.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help="write the motion: a trajectory_msgs/JointTrajectory as .yaml; with the efforts of "
        "the description arrays as .npz, a page on which the robot moves as .html, or a bag of "
        "joint states, a name without an ending (repeatable)",
    )
    parser.add_argument(
        "--duration", type=positive, default=20.0, metavar="S", help="of the motion (default: 20)"
    )
    parser.add_argument(
        "--harmonics", type=_harmonics, default=5, metavar="N", help="of its series (default: 5)"
    )
    parser.add_argument(
        "--share", type=_share, default=0.7, metavar="PART", help="of all limits (default: 0.7)"
    )
    parser.add_argument(
        "--clearance",
        type=positive,
        default=0.02,
        metavar="M",
        help="least distance of links from one another, where they have shapes for collisions that "
        "are boxes, spheres, cylinders or capsules (default: 0.02)",
    )
    parser.add_argument(
        "--rate", type=positive, default=100.0, metavar="HZ", help="of its points (default: 100)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of the random motion it starts from"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw positions, velocities and efforts")
    add_background_option(parser)
    add_quiet_option(parser)
    return run(_excite, parser.parse_args(argv))


def _excite(options: argparse.Namespace) -> int:
    writers = {".yaml": _yaml, ".npz": _arrays, ".html": _page, _BAG: _bag}
    for file in options.output:
        check_output(file)
        if Path(file).suffix not in writers:
            raise RobcogenError(
                f"{file}: expected a name that ends in .yaml, .npz or .html, or one without an "
                "ending for a bag"
            )
        if file.endswith(".html"):
            package("viser", f"--output {file}")
    check_output(options.plot)
    text = read_text(options)
    reading = read_model(options, text)
    warn(reading.warnings)
    if not reading.robot.n:
        raise RobcogenError(f"robot '{reading.robot.name}' has no joint that moves")
    compiled = robot_of(build_compiled(Library(reading.robot, _FUNCTIONS)))
    if not isinstance(compiled, FixedBaseRobot):
        raise RobcogenError(
            f"robot '{reading.robot.name}' has a floating base, which no motion of its joints holds"
        )
    clearance = _clearance(reading, compiled, options.clearance)
    search = Search(
        compiled,
        compiled.base_parameters(),
        Bounds.of(compiled, options.share),
        duration=options.duration,
        harmonics=options.harmonics,
        clearance=clearance,
    )
    with task("searching for a motion"):
        motion = search.solve(options.seed)
    states = motion.sampled(options.rate)
    tau = compiled.inverse_dynamics(*states[1:])
    print("\n".join(_table(compiled, search, motion, (*states, tau), options)))
    found = _Found(options, text, reading, compiled, (*states, tau))
    for file in options.output:
        writers[Path(file).suffix](file, found)
    if options.plot:
        _draw(options, compiled, search.bounds, (*states, tau))
    return OK


def _clearance(reading: Reading, compiled: FixedBaseRobot, least: float) -> Clearance | None:
    """Returns what tells how far links are apart; None, told, where no shape does."""
    found, others = capsules(reading.description.shapes)
    if others:
        _note(f"shapes of {', '.join(others)} are meshes: whether these links meet is not checked")
    elif not found:
        _note("no link has a shape for collisions: whether links meet is not checked")
    if not found:
        return None
    clearance = Clearance(reading.robot, compiled, found, least)
    for one, other in clearance.touching:
        _note(
            f"{one} and {other} are nearer than {least:g} m in the middle of all ranges: whether "
            "they meet is not checked"
        )
    _note("whether the robot meets its surroundings is not checked")
    return clearance


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)


def _table(
    robot: FixedBaseRobot,
    search: Search,
    motion: Excitation,
    states: tuple[Array, ...],
    options: argparse.Namespace,
) -> list[str]:
    """Returns the lines that tell of a motion."""
    random = [search.random(seed) for seed in range(_RANDOM)]
    condition = np.median([search.condition(each) for each in random])
    errors = np.median([search.errors(each, motion) for each in random])
    _, q, qd, _, tau = states
    bounds = search.bounds
    lines = [
        f"{robot.name}: {options.duration:g} s from rest to rest, condition number "
        f"{search.condition(motion):.0f}; random motions within the same bounds have "
        f"{condition:.0f}, and {errors:.1f} times the standard errors",
        "",
        f"{'from':>9}{'to':>9}  {'allowed':>17}{'speed':>8}{'of':>7}{'effort':>9}{'of':>8}  joint",
    ]
    for k, name in enumerate(robot.joint_names):
        lines.append(
            f"{q[:, k].min():9.3f}{q[:, k].max():9.3f}  "
            f"{bounds.lower[k]:8.3f} {bounds.upper[k]:8.3f}"
            f"{np.abs(qd[:, k]).max():8.3f}{bounds.velocity[k]:7.2f}"
            f"{np.abs(tau[:, k]).max():9.3g}{bounds.effort[k]:8.3g}  {name}"
        )
    start = ", ".join(f"{x:.3f}" for x in q[0])
    return [*lines, "", f"it begins and ends at {start}"]


@dataclass(frozen=True)
class _Found:
    """A motion, and whose it is: times, positions, velocities, accelerations and efforts."""

    options: argparse.Namespace
    text: Source
    reading: Reading
    robot: FixedBaseRobot
    states: tuple[Array, Array, Array, Array, Array]


def _yaml(file: str, found: _Found) -> None:
    """Writes a trajectory_msgs/JointTrajectory as `ros2 topic pub` reads it."""
    *states, _ = found.states
    lines = [f"joint_names: [{', '.join(found.robot.joint_names)}]", "points:"]
    for time, *rows in zip(*states, strict=True):
        nanoseconds = round(float(time) * 1e9)
        seconds, rest = divmod(nanoseconds, 10**9)
        for word, row in zip(("positions", "velocities", "accelerations"), rows, strict=True):
            mark = "-" if word == "positions" else " "
            lines.append(f"{mark} {word}: [{', '.join(f'{x:.8g}' for x in row)}]")
        lines.append(f"  time_from_start: {{sec: {seconds}, nanosec: {rest}}}")
    write(file, "\n".join(lines) + "\n")


def _arrays(file: str, found: _Found) -> None:
    """Writes a recording as it would be without noise, which `robcogen identify` reads."""
    content = io.BytesIO()
    names = np.array(found.robot.joint_names)
    time, q, qd, qdd, tau = found.states
    np.savez_compressed(content, joint_names=names, time=time, q=q, qd=qd, qdd=qdd, tau=tau)
    try:
        with beside(Path(file)) as partial:
            Path(partial).write_bytes(content.getvalue())
    except OSError as error:
        raise RobcogenError(f"cannot write {file}: {error.strerror}") from None


def _bag(file: str, found: _Found) -> None:
    """Writes the same as a bag, which `ros2 bag play` shows to the node `view`."""
    write_bag(Path(file), Motion(*found.states), found.robot.joint_names)


def _page(file: str, found: _Found) -> None:
    """Writes a page on which the robot moves."""
    options, every = found.options, max(1, round(found.options.rate / _PAGES))
    options.srdf = None
    model = model_with_shapes(options, found.text, found.reading, {})
    time, q, _, _, tau = (array[::every] for array in found.states)
    bases = np.broadcast_to(np.eye(4), (len(time), 4, 4))
    feet = np.zeros((len(time), len(model.robot.contact_records), 3))
    trajectory = Trajectory(time, bases, q, tau, feet)
    dark = options.background == "dark"
    with serving("127.0.0.1", 0, found.robot.name, dark) as server:
        write(file, page(server, model, trajectory, [], dark=dark))


def _draw(
    options: argparse.Namespace, robot: FixedBaseRobot, bounds: Bounds, states: tuple[Array, ...]
) -> None:
    """Draws positions, velocities and efforts as parts of what is allowed."""
    time, q, qd, _, tau = states
    middle, half = (bounds.upper + bounds.lower) / 2, (bounds.upper - bounds.lower) / 2
    panels: list[tuple[str, Any]] = [
        ("position", (q - middle) / half),
        ("velocity", qd / bounds.velocity),
        ("effort", tau / np.where(np.isfinite(bounds.effort), bounds.effort, np.abs(tau).max())),
    ]
    with style.picture(Path(options.plot), (9, 7), dark=options.background == "dark") as figure:
        figure.suptitle(f"{robot.name}: parts of {options.share:g} of the limits")
        axes = figure.subplots(len(panels), 1, sharex=True)
        for panel, (title, values) in zip(axes, panels, strict=True):
            panel.set_title(title)
            panel.set_ylim(-1.05, 1.05)
            for k, name in enumerate(robot.joint_names):
                panel.plot(time, values[:, k], label=name)
        axes[-1].set_xlabel("time [s]")
        axes[0].legend(loc="upper right", ncols=4)


def _harmonics(text: str) -> int:
    if not text.isdecimal() or not 2 <= int(text) <= 20:
        raise argparse.ArgumentTypeError(f"expected 2 to 20, found '{text}'")
    return int(text)


def _share(text: str) -> float:
    value = positive(text)
    if value > 1:
        raise argparse.ArgumentTypeError(f"expected a part up to 1, found '{text}'")
    return value

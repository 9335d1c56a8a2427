"""The demo of a robot on legs: it stands up, moves its trunk and is pushed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robcogen_ros.control.leg_sensors import sensor_settings
from robcogen_ros.demo.processes import by_hand
from robcogen_ros.demo.standing_plot import plot
from robcogen_ros.demo.standing_report import held, planned, report, stepping
from robcogen_ros.demo.standing_run import balance, gravity_compensation, run
from robcogen_ros.demo.stepping import Stepping, Steps
from robcogen_ros.demo.trunk_motion import TrunkMotion
from robcogen_ros.demo.trunk_plan import plan
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import counted
from robcogen_ros.progress import say
from robcogen_ros.standing.build import build_standing
from robcogen_ros.standing.footing import Footing
from robcogen_ros.standing.posture import Legs, Posture

FRICTION, TRUSTED = 0.6, 0.5
"""Coefficient of friction of the ground, and the one that the controller reckons with."""
DURATION = 20.0
"""Length of the motion, if none is asked for [s]."""


def show(
    file: str,
    arguments: Mapping[str, str],
    footing: Footing,
    rate: float,
    duration: float | None,
    out: Path,
    loops: str | None = None,
    *,
    estimates: bool = True,
    dark: bool = False,
) -> None:
    """Runs the demo and leaves `demo.png` and `report.txt` behind.

    Args:
        file: The robot's file.
        arguments: Of a xacro.
        footing: What it stands on.
        rate: Cycles of control a second [Hz].
        duration: Length of the motion [s].
        out: Directory of the results.
        loops: File that says what closes its loops.
        estimates: Whether it steps, and moves as ROS 2 nodes, on an estimate of its base, from
            noisy sensors, or on its exact state.
        dark: Whether the plot is on a dark ground.

    Raises:
        RobcogenError: If the robot cannot be compiled, or does not stand.
    """
    say(f"A robot on legs: it {footing.told}")
    for problem in footing.warnings:
        say(str(problem))
    say(
        "(--fixed-base shows it as on a stand.) All that follows takes five to ten minutes of a "
        "quiet computer. Generating and compiling code for it"
    )
    robot = build_standing(file, arguments, footing, loops)
    say(f"Robot '{robot.name}': {counted(robot.n, 'joint')}, code in {robot.library_path}")
    legs = Legs(robot, footing.feet)
    standing = legs.standing(footing.standing)
    feet = {"radii": footing.radii or None, "soles": footing.soles or None}
    world, trusted = {"friction": FRICTION, **feet}, {"friction": TRUSTED, "soles": feet["soles"]}
    say("Trying in simulation what it can do, and what it cannot")
    motion = plan(robot, legs, standing, duration or DURATION, world, **trusted)
    say(planned(robot, motion))
    steps, told = _steps(robot, footing, standing, estimates)
    steps_on = steps is not None and not steps.ended
    runs = []
    for title, control in (
        ("Moving it under its whole-body controller", balance(robot, standing.q, **trusted)),
        ("The same under gravity compensation alone", gravity_compensation(robot)),
    ):
        say(f"{title}, {motion.duration:g} s of simulated time")
        runs.append(run(robot, robot.ground(**world), motion, control, rate))
    parts = [f"{robot.name} {footing.told}", report(robot, motion, runs, FRICTION), told]
    picture = out / "demo.png"
    plot(robot, motion, runs, FRICTION, steps, picture, dark=dark)
    words = [f"{name}:={value}" for name, value in arguments.items()]
    source: dict[str, Any] = {"model_file": file, "xacro_args": words, "loops": loops}
    source = {name: value for name, value in source.items() if value}
    source |= {"contacts": list(footing.names)}
    sensors = sensor_settings(robot.total_mass()) if estimates else None
    gait = steps if steps_on else None
    through, commands = _through_nodes(robot, source, motion, rate, out, gait, sensors)
    parts.append(through)
    text = "\n\n".join(parts)
    (out / "report.txt").write_text(text + "\n", encoding="utf-8")
    say(f"\n{text}\n\nPlot of what happened: {picture.resolve()}\n{commands}")


def _steps(
    robot: Any, footing: Footing, standing: Posture, estimates: bool
) -> tuple[Steps | None, str]:
    """Returns the steps of a robot, and a text; or None and why it does not step."""
    try:
        stepper = Stepping(robot, footing, standing, FRICTION, TRUSTED, estimates=estimates)
    except RobcogenError as error:
        told = f"It does not step: {error}"
        say(told)
        return None, told
    steps = stepper.run()
    say(held(robot, steps))
    return steps, stepping(robot, steps)


def _through_nodes(
    robot: Any,
    source: Mapping[str, Any],
    motion: TrunkMotion,
    rate: float,
    out: Path,
    steps: Steps | None,
    sensors: Mapping[str, Any] | None,
) -> tuple[str, str]:
    """Returns the nodes' results of the motion, or why there are none; and commands for them."""
    try:
        from robcogen_ros.demo.standing_nodes import nodes_of, through_nodes, told
        from robcogen_ros.demo.station import ROBOT

        gait = "stand" if steps is None else steps.gait
        nodes = nodes_of(source, rate, TRUSTED, gait, sensors)
        say(f"The same motion through ROS 2 nodes: {', '.join(nodes)}")
        heard = through_nodes(robot, nodes, motion, out, FRICTION, steps)
    except (ImportError, RobcogenError) as error:
        return f"Not shown as ROS 2 nodes: {error}", ""
    return told(heard, motion, nodes[ROBOT]["rate"], sensors is not None), by_hand(nodes)

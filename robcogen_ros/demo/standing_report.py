"""The report on a robot on legs as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from robcogen_ros.control.leg_sensors import IMU
from robcogen_ros.demo.standing_run import Run
from robcogen_ros.demo.stepping import AHEAD, RECOVERY, Steps
from robcogen_ros.demo.trunk_motion import PUSH, PUSH_TIME, WAYS, TrunkMotion
from robcogen_ros.demo.trunk_plan import amount

CALM = 0.01
"""Error of the trunk below which a push is over [m]."""
SETTINGS = "whole-body controller", "gravity compensation"


def report(robot: Any, motion: TrunkMotion, runs: Sequence[Run], friction: float) -> str:
    """Returns the runs under the whole-body controller and gravity compensation, as text."""
    return "\n\n".join((planned(robot, motion), _table(robot, motion, runs, friction)))


def planned(robot: Any, motion: TrunkMotion) -> str:
    """Returns the planned motion as text, and the parts that the robot cannot do, with reasons."""
    mass = robot.total_mass()
    speed = motion.push_speed(mass)
    sizes = dict(zip(WAYS, motion.sizes, strict=True))
    moved = ", ".join(f"{way} {amount(motion, way)}" for way, size in sizes.items() if size)
    refused = [f"  no {way}: {why}" for way, why in motion.refused.items() if way != PUSH]
    fall = motion.refused.get(PUSH)
    rise = f"stands up from {1e3 * (motion.height - motion.crouch):.0f} mm to "
    return "\n".join(
        (
            f"Motion of the trunk of '{robot.name}', {mass:.1f} kg",
            f"  {rise if motion.crouch else 'stands at '}{1e3 * motion.height:.0f} mm, moves to "
            f"both sides: {moved or 'not at all'}",
            *refused,
            f"  is pushed to its left at {motion.push_begin:.1f} s: {mass * speed:.1f} N s in "
            f"{PUSH_TIME:g} s, a change of its speed by {speed:.2f} m/s",
            *([f"  will not hold that push: {fall}"] if fall else []),
        )
    )


def _table(robot: Any, motion: TrunkMotion, runs: Sequence[Run], friction: float) -> str:
    limits = robot.effort_limits
    share = np.where(np.isfinite(limits) & (limits > 0), limits, np.inf)

    def before(run: Run) -> Any:
        return run.time <= motion.push_begin

    lines: list[tuple[str, Callable[[Run], str]]] = [
        ("stands to the end", lambda run: _ending(run)),
        (
            "error of the trunk until the push, rms [mm]",
            lambda r: _rms(r.position_error[before(r)]),
        ),
        ("  and of its orientation [mrad]", lambda r: _rms(r.angle_error[before(r), None])),
        ("largest error after the push [mm]", lambda run: _after(run, motion)),
        ("back within 10 mm after [s]", lambda run: _settled(run, motion)),
        ("friction used of the cone, most", lambda r: f"{r.friction_used.max() / friction:.0%}"),
        ("least force on a foot [N]", lambda run: f"{run.normal_forces.min():.1f}"),
        ("efforts of their limits, most", lambda r: f"{(np.abs(r.effort) / share).max():.0%}"),
        ("controller, median [us]", lambda run: f"{run.microseconds:.0f}"),
        ("impacts, switches, unsettled steps", lambda r: ", ".join(map(str, r.counters.values()))),
    ]
    head = f"{'':<46}" + "".join(f"{title:>24}" for title in SETTINGS)
    rows = (f"  {name:<44}" + "".join(f"{of(run):>24}" for run in runs) for name, of in lines)
    return "\n".join((head, *rows))


def held(robot: Any, steps: Steps) -> str:
    """The pushes that a robot holds which steps, and what it does not hold."""
    head = f"It withstands a push of {_push(robot, steps.withstood)}, with its feet where they are"
    if steps.ended:
        return f"{head}. It does not step: it falls even without a push: {steps.ended}"
    pushed = _push(robot, steps.pushed) if steps.pushed else "none, for it holds none"
    beyond = f". It would fall under {steps.fell}" if steps.fell else ""
    return f"{head}. As it steps it is given {pushed}{beyond}"


def _push(robot: Any, change: float) -> str:
    return f"{robot.total_mass() * change:.1f} N s, {change:.2f} m/s"


def stepping(robot: Any, steps: Steps) -> str:
    """Returns the steps of a robot as text."""
    rows = [
        ("push survived with its feet where they are", _push(robot, steps.withstood)),
        ("pushed to its left as it steps on the spot", _push(robot, steps.pushed)),
        ("stands to the end", "no" if steps.ended else "yes"),
        ("largest tilt of the trunk [mrad]", f"{1e3 * steps.tilt:.0f}"),
    ]
    if steps.pushed and not steps.ended:
        rows += [
            (
                f"moved to its left by the push, at most; after {RECOVERY:g} s [m]",
                f"{steps.moved:.2f}, {steps.left:.2f}",
            ),
            ("that way slower than 10 % of the push after [s]", f"{steps.recovery:.2f}"),
        ]
    if not steps.ended:
        rows += [
            (
                f"ahead in {AHEAD:g} s, at {steps.speed:.2f} m/s [m]",
                f"{steps.way:.2f} of {AHEAD * steps.speed:.2f}",
            ),
            ("stands still after it", "yes" if steps.still else "no"),
        ]
    if steps.drift is not None:
        off = 1e3 * float(np.linalg.norm(steps.drift))
        rows.append(("estimate of where it is, at the end off by [mm]", f"{off:.0f}"))
    rows += [
        ("friction used of the cone, most", f"{steps.friction_used:.0%}"),
        ("efforts of their limits, most", f"{steps.effort:.0%}"),
    ]
    base = base_told(steps.drift is not None)
    head = f"Steps of '{robot.name}', a {steps.gait} of {steps.period:.2f} s a cycle{base}"
    falls = [f"  would fall under {steps.fell}"] if steps.fell else []
    return "\n".join((head, *(f"  {name:<48}{value:>24}" for name, value in rows), *falls))


def base_told(estimates: bool) -> str:
    """Returns where a controller has its base from, as the end of a heading."""
    return f", its base estimated by noisy sensors ({IMU})" if estimates else ""


def _ending(run: Run) -> str:
    return "yes" if not run.ended else f"no: {run.ended} at {run.time[-1]:.1f} s"


def _rms(error: Any) -> str:
    return f"{1e3 * np.sqrt(np.mean(np.sum(error**2, axis=1))):.2f}" if len(error) else "-"


def _after(run: Run, motion: TrunkMotion) -> str:
    if run.ended:
        return "-"
    after = np.linalg.norm(run.position_error, axis=1)[run.time > motion.push_begin]
    return f"{1e3 * after.max():.1f}"


def _settled(run: Run, motion: TrunkMotion) -> str:
    if run.ended:
        return "-"
    away = np.linalg.norm(run.position_error, axis=1) > CALM
    if away[-1]:
        return "not"
    last = run.time[away & (run.time > motion.push_begin)]
    return f"{last[-1] - motion.push_begin:.2f}" if len(last) else "at once"

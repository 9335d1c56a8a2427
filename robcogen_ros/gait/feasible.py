"""Wishes that a robot cannot fulfil, told before anything is solved.

Each condition is one that every gait of the kind meets, or nearly so: what passes may still have no
gait.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import casadi
import numpy as np
from casadi import SX, vertcat

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import ModelError, Problem
from robcogen_ros.gait.collocation import pyramid
from robcogen_ros.gait.motion import Motion
from robcogen_ros.gait.pattern import Pattern
from robcogen_ros.gait.problem import GREATEST_RATE, Limits
from robcogen_ros.gait.specification import Specification
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.standing.posture import Legs

_SINKING = 2.0
"""Distance that the center of mass may sink in a flight, as a share of what `height` leaves the
base."""
_MARGIN = 1.05
"""Margin of the lengths of legs, which are sampled."""
_INFEASIBLE = "Infeasible_Problem_Detected"
Wrong = Iterator[tuple[str, str]]


def check(
    robot: Any,
    wanted: Specification,
    pattern: Pattern,
    legs: Legs,
    motion: Motion,
    limits: Limits,
    q: Array,
) -> None:
    """Finds what cannot be.

    Args:
        robot: The robot.
        wanted: What is sought.
        pattern: Of the feet.
        legs: Of the robot.
        motion: Of the robot.
        limits: Of the robot.
        q: Positions of the joints where it stands (n,).

    Raises:
        ModelError: With the line of each setting that cannot be.
    """
    wrong = list(_flights(wanted, pattern, limits))
    if not wanted.design:
        hips, lengths = legs.reaches()
        wrong += _speeds(wanted, pattern, legs, lengths, limits, robot.units)
        wrong += _steps(wanted, pattern, legs, (hips, _MARGIN * wanted.reach * lengths), limits)
    wrong = wrong or list(_posture_problem(wanted, motion, limits, q))
    if wrong:
        raise ModelError(
            [Problem(f"{name}: {message}", wanted.lines.get(name)) for name, message in wrong]
        )


def _speeds(
    wanted: Specification,
    pattern: Pattern,
    legs: Legs,
    lengths: Array,
    limits: Limits,
    units: Array,
) -> Wrong:
    """The base at most at its greatest rate, feet that swing ahead of it in time."""
    speed = wanted.speed[0]
    if not 0.0 < speed <= GREATEST_RATE:
        yield "speed", f"expected more than 0, at most {GREATEST_RATE:g} m/s, found {speed:g}"
        return
    for foot, duty in enumerate(pattern.duty):
        joints = legs.joints[foot]
        arms = np.where(units[joints] == "m", 1.0, lengths[foot])
        fastest = float(arms @ (wanted.velocity * limits.velocity[joints]))
        needed = speed * max(1.0, duty / (1.0 - duty))
        if needed > fastest:
            yield (
                "velocity" if "velocity" in wanted.lines else "speed",
                f"foot {legs.frames[foot]} would have to move at {needed:.2g} m/s beside the base, "
                f"its joints move it at {fastest:.2g} m/s at most",
            )
            return


def _steps(
    wanted: Specification,
    pattern: Pattern,
    legs: Legs,
    reaches: tuple[Array, Array],
    limits: Limits,
) -> Wrong:
    """Returns the excess of the way that a foot stands, and of the height at which one swings."""
    hips, lengths = reaches
    turned = np.sin(wanted.tilt) * np.hypot(hips[:, 0], hips[:, 1])
    low, high = (share * limits.height + hips[:, 2] for share in wanted.height)
    across = 2 * np.sqrt(np.maximum(lengths**2 - np.maximum(low - turned, 0.0) ** 2, 0.0))
    way = wanted.speed[0] * wanted.stride[0] * np.array(pattern.duty)
    foot = int((way - across).argmax())
    if across[foot] == 0.0:
        yield "height", f"the leg of foot {legs.frames[foot]} does not reach the ground from there"
    elif way[foot] > across[foot]:
        yield (
            "speed",
            f"the base moves {way[foot]:.2g} m while foot {legs.frames[foot]} stands, its leg "
            f"reaches over {across[foot]:.2g} m; take less speed, a shorter stride or less duty",
        )
    if wanted.step_height > (most := float((high + turned + lengths).max())):
        yield (
            "step_height",
            f"no foot reaches higher than {most:.2g} m, found {wanted.step_height:g}",
        )
    if wanted.clearance and len(hips) > 1:
        pairs = [(i, j) for i in range(len(hips)) for j in range(i)]
        most = min(
            float(np.linalg.norm(hips[i] - hips[j])) + lengths[i] + lengths[j] for i, j in pairs
        )
        if wanted.clearance > most:
            yield "clearance", f"feet come no further apart than {most:.2g} m"


def _flights(wanted: Specification, pattern: Pattern, limits: Limits) -> Wrong:
    """Returns the excess of flights: without a foot on the ground the robot falls."""
    flight = wanted.stride[0] * max(
        (phase.share for phase in pattern.phases() if not phase.standing), default=0.0
    )
    sinks = FREE_FALL * flight**2 / 8
    room = (wanted.height[1] - wanted.height[0]) * limits.height
    if sinks > _SINKING * room:
        given = [name for name in ("duty", "phases", "stride", "height") if name in wanted.lines]
        yield (
            given[0] if given else "gait",
            f"no foot stands for {flight:.2g} s, in which the robot rises and sinks by "
            f"{sinks:.2g} m; `height` leaves its base {room:.2g} m",
        )


def _posture_problem(wanted: Specification, motion: Motion, limits: Limits, q: Array) -> Wrong:
    """The posture in which the joints hold the robot up most easily, on all feet."""
    least, status = _easiest(wanted, motion, limits, q, wanted.friction)
    if status == _INFEASIBLE:
        rough = _easiest(wanted, motion, limits, q, 100.0)[1] != _INFEASIBLE
        if rough:
            yield "friction", "no posture within `height` and `tilt` stands without slipping"
        else:
            yield "height", "no posture within it, `tilt` and joint limits stands on all feet"
    elif least > wanted.effort * 1.001 and status == "Solve_Succeeded":
        yield (
            "effort" if "effort" in wanted.lines else "height",
            f"joints cannot hold the robot up: on all feet and at rest it takes {least:.3g} times "
            f"their limits in the easiest posture within `height`, {wanted.effort:g} are allowed",
        )


def _easiest(
    wanted: Specification, motion: Motion, limits: Limits, q: Array, friction: float
) -> tuple[float, str]:
    """Least share of the efforts that hold the robot up, and how the search for it ended."""
    n, weight = motion.y.shape[0], motion.mass * FREE_FALL
    design, pushes = limits.design, [SX.sym("f", force.shape[0]) for force in motion.forces]
    share = SX.sym("share")
    tau, base, low = casadi.substitute(
        [motion.tau, motion.base, vertcat(*[points[2::3] for points in motion.points])],
        [motion.v, motion.a, *motion.forces],
        [SX.zeros(n), SX.zeros(n), *[weight * push for push in pushes]],
    )
    strong = tau / casadi.DM(limits.effort)
    pushed = vertcat(*pushes)
    zero = vertcat(base / weight, low / limits.height)
    within = vertcat(share - strong, share + strong, pyramid(pushed, friction))
    heights = (limits.height, *design.heights)
    least, greatest = wanted.height[0] * min(heights), wanted.height[1] * max(heights)
    tilt, far = np.full(2, wanted.tilt), np.full(3 * (pushed.shape[0] // 3), 10.0)
    lower = [
        0,
        0,
        least,
        *-tilt,
        0,
        *limits.lower,
        *np.where(np.arange(far.size) % 3 == 2, 0, -far),
    ]
    upper = [0, 0, greatest, *tilt, 0, *limits.upper, *far]
    even = np.zeros(far.size)
    even[2::3] = 3.0 / far.size
    solver: Any = casadi.nlpsol(
        "easiest",
        "ipopt",
        {
            "x": vertcat(motion.y, pushed, motion.design, share),
            "f": share,
            "g": vertcat(zero, within),
        },
        {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "max_iter": 200}},
    )
    found = solver(
        x0=[0, 0, np.clip(limits.height, least, greatest), 0, 0, 0, *q, *even, *design.start, 1.0],
        lbx=[*lower, *design.lower, 0.0],
        ubx=[*upper, *design.upper, np.inf],
        lbg=0.0,
        ubg=[0.0] * zero.shape[0] + [np.inf] * within.shape[0],
    )
    return float(found["f"]), str(solver.stats()["return_status"])

"""Gaits on slopes: `python -m test.drivers.on_slopes ROBOT DEGREES...`.

A robot stands on a slope that rises ahead, its base parallel to it, trots and walks uphill and on
the spot, and stops.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.bench.standing import subject
from robcogen_ros.control.legged_loop import LeggedLoop
from robcogen_ros.errors import RobcogenError
from test.drivers.usage import usage

FRICTION, TRUSTED = 0.7, 0.5
SPEEDS = {"trot": (3.0, (0.0, 0.3)), "walk": (6.0, (0.0, 0.06))}
"""How long each gait goes on [s], and how fast [m/s]."""


def on_slope(robot: Any, posture: ArrayLike, slope: float, name: str) -> LeggedLoop:
    """A robot in a gait that stands at rest on a slope [rad]."""
    normal = np.array([-np.sin(slope), 0.0, np.cos(slope)])
    feet = [contact.frame_name for contact in robot.contact_records]
    low = min(robot.transform(robot.link_names[0], foot, posture)[2, 3] for foot in feet)
    ground = robot.ground(friction=FRICTION, plane_normal=normal)
    turned = [0.0, -np.sin(0.5 * slope), 0.0, np.cos(0.5 * slope)]
    ground.place(posture, position=-low * normal, orientation=turned)
    return LeggedLoop(
        robot,
        ground,
        friction=FRICTION,
        trusted=TRUSTED,
        gait={"name": name, "posture": posture, "ground_normal": normal},
        posture=posture,
        ground_normal=normal,
    )


def _line(robot: Any, posture: ArrayLike, degrees: float, name: str, speed: float) -> str:
    loop = on_slope(robot, posture, np.radians(degrees), name)
    start = loop.world.position
    try:
        loop.run(SPEEDS[name][0], steps=True, velocity=[speed, 0.0])
        went, asked = loop.world.position - start, loop.time
        while loop.stepping and loop.time < asked + 8.0:
            loop.run(0.1)
    except RobcogenError as error:
        return f"falls after {loop.time:.1f} s: {error}"
    stopped = f"steps for {loop.time - asked:.1f} s more"
    return f"goes {went[0]:.3f} m ahead, {went[1]:.3f} m aside, {stopped}"


def main() -> None:
    """Prints a line a slope, gait and speed."""
    found = subject(sys.argv[1])
    for degrees in map(float, sys.argv[2:]):
        for name, (_, speeds) in SPEEDS.items():
            for speed in speeds:
                line = _line(found.robot, found.posture.q, degrees, name, speed)
                print(f"{degrees:g} degrees, {name} at {speed} m/s: {line}")


if __name__ == "__main__":
    with usage(__doc__, 2):
        main()

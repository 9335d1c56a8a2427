"""Arms on which algorithms have been counted for forty years, as robots of this project."""

from __future__ import annotations

import math
from random import Random

from test.support.random_robots import Joint, Link, Tree

Row = tuple[float, float, float]
"""Twist alpha [rad], length a [m] and offset d [m] of a joint (Khalil and Kleinfinger 1986)."""

_RIGHT = math.pi / 2


def general_arm() -> Tree:
    """Six turning joints with no number that is zero; the first turns about the vertical."""
    random = Random(6)
    rows = [(0.0, 0.0, 0.0)]
    rows += [tuple(round(random.uniform(0.2, 0.9), 3) for _ in range(3)) for _ in range(5)]
    tensor = (0.31, 0.011, -0.023, 0.42, 0.037, 0.53)
    centers = [tuple(round(random.uniform(-0.2, 0.2), 3) for _ in range(3)) for _ in rows]
    links = [
        Link(f"link{i}", 2.0 + i / 8, center, tensor=tensor)
        for i, center in enumerate(centers, start=1)
    ]
    return _arm(rows, links)


def puma_560() -> Tree:
    """Armstrong, Khatib and Burdick, The explicit dynamic model of the PUMA 560 arm, 1986."""
    rows = (
        (0.0, 0.0, 0.0),
        (-_RIGHT, 0.0, 0.2435),
        (0.0, 0.4318, -0.0934),
        (_RIGHT, -0.0203, 0.4331),
        (-_RIGHT, 0.0, 0.0),
        (_RIGHT, 0.0, 0.0),
    )
    bodies = (
        (0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.35)),
        (17.4, (0.068, 0.006, -0.016), (0.13, 0.524, 0.539)),
        (4.8, (0.0, -0.07, 0.014), (0.066, 0.0125, 0.086)),
        (0.82, (0.0, 0.0, -0.019), (0.0018, 0.0018, 0.0013)),
        (0.34, (0.0, 0.0, 0.0), (0.0003, 0.0003, 0.0004)),
        (0.09, (0.0, 0.0, 0.032), (0.00015, 0.00015, 0.00004)),
    )
    return _arm(rows, _diagonal_links(bodies))


def stanford_arm() -> Tree:
    """Paul, Robot Manipulators, 1981; the third joint slides."""
    rows = (
        (0.0, 0.0, 0.0),
        (-_RIGHT, 0.0, 0.1524),
        (_RIGHT, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        (-_RIGHT, 0.0, 0.0),
        (_RIGHT, 0.0, 0.0),
    )
    bodies = (
        (9.29, (0.0, 0.0175, -0.1105), (0.276, 0.255, 0.071)),
        (5.01, (0.0, -0.1054, 0.0), (0.108, 0.018, 0.1)),
        (4.25, (0.0, 0.0, -0.6447), (2.51, 2.51, 0.006)),
        (1.08, (0.0, 0.0092, -0.0054), (0.002, 0.001, 0.001)),
        (0.63, (0.0, 0.0, 0.0566), (0.003, 0.003, 0.0004)),
        (0.51, (0.0, 0.0, 0.1554), (0.013, 0.013, 0.0003)),
    )
    return _arm(rows, _diagonal_links(bodies), sliding=3)


def _diagonal_links(bodies) -> list[Link]:
    """Links with mass, centre and principal moments about it along the axes."""
    return [
        Link(f"link{i}", mass, center, tensor=(xx, 0.0, 0.0, yy, 0.0, zz))
        for i, (mass, center, (xx, yy, zz)) in enumerate(bodies, start=1)
    ]


def _arm(rows, links: list[Link], sliding: int = 0) -> Tree:
    joints = []
    for i, (alpha, a, d) in enumerate(rows, start=1):
        origin = (a, -d * math.sin(alpha), d * math.cos(alpha))
        origin = tuple(0.0 if abs(x) < 1e-15 else x for x in origin)
        kind = "prismatic" if i == sliding else "revolute"
        joints.append(
            Joint(f"joint{i}", kind, f"link{i - 1}", f"link{i}", origin, (alpha, 0.0, 0.0))
        )
    return Tree((Link("link0"), *links), tuple(joints))

"""The shapes of a robot's feet, of the shapes of the links that they are fixed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.contacts import Foot
from robcogen_ros.model.quaternions import matrix
from robcogen_ros.model.robot import Robot

Array = NDArray[np.float64]

LEVEL = 0.005
"""Height of points of a sole above its lowest one [m]."""
CENTERED = 0.001
"""Distance of the center of a ball from the origin of the foot's frame [m]."""
LEAST = 0.01
"""Length and width of a sole at least [m]."""
SQUARE = 0.01
"""Angle by which corners of a rectangle may be off right angles [rad]."""
UPRIGHT = 0.1
"""Angle from the upward direction up to which the axis of a cylinder stands [rad]."""
TILTED = 0.35
"""Angle by which a box under a foot may be off level where its feet are looked for [rad]."""


WAYS, ROUND = 16, 0.97
"""Directions in which a wheel reaches alike, and the least reach as a share of the greatest."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of a link: the convex hull of balls about points, or of two discs.

    Attributes:
        link: The link's name.
        points: Centers of the balls or discs (k, 3), in the link's own frame [m].
        radius: Of these [m].
        unread: Why its points are not known, of a shape without points.
        axis: Direction that is normal to the discs (3,); zero of balls.
    """

    link: str
    points: Array
    radius: float = 0.0
    unread: str = ""
    axis: Array = field(default_factory=lambda: np.zeros(3))

    def moved(self, pose: Array) -> Shape:
        """The shape after a motion (4, 4)."""
        turn = pose[:3, :3].T
        return replace(self, points=self.points @ turn + pose[:3, 3], axis=self.axis @ turn)

    def lowest(self, up: Array) -> Array:
        """The lowest points about each center; of a level disc the corners of a square in it."""
        across = up - self.axis * (self.axis @ up)
        if not self.axis.any() or np.linalg.norm(across) > UPRIGHT:
            return np.asarray(self.points - self.radius * across / np.linalg.norm(across))
        corners = self.radius * np.sqrt(0.5) * np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
        return np.asarray(self.points[:, None] + corners @ _level(up)).reshape(-1, 3)


def rectangle(
    x0: float, x1: float, y0: float, y1: float, z: float, *, turn: Array | None = None
) -> Array:
    """Corners (4, 3) of a rectangle along its border, from the least and greatest x and y.

    Args:
        x0: Least x.
        x1: Greatest x.
        y0: Least y.
        y1: Greatest y.
        z: Of all corners.
        turn: Rotation of the frame in the base while the robot stands. If its z is not vertical
            there, x, y and z are those of its axes that are ahead, to the left and upwards.
    """
    corners = np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])
    if turn is None or not np.isfinite(turn).all() or (up := upwards(turn))[2]:
        return corners
    ahead = upwards(turn[[1, 2, 0]] * (up == 0))
    return np.asarray(corners @ np.array([ahead, np.cross(up, ahead), up]))


def upwards(turn: Array) -> Array:
    """The axis of a frame (3,), in it, that is nearest to the last of the base's, by its turn."""
    nearest = int(np.argmax(np.abs(turn[2])))
    return np.asarray(np.eye(3)[nearest] * np.sign(turn[2, nearest]))


def fixed_links(robot: Robot, frame: int) -> set[str | None]:
    """The names of a foot's link and of those that are fixed on it."""
    link = robot.frames[frame].link
    return {other.of_link for other in robot.frames if other.link == link}


def unread(robot: Robot, frame: int, shapes: Sequence[Shape]) -> tuple[str, ...]:
    """Returns why shapes are not known, of a foot's link and of those fixed on it."""
    links = fixed_links(robot, frame)
    return tuple(shape.unread for shape in shapes if shape.unread and shape.link in links)


def foot_shape(robot: Robot, frame: int, up: Array, shapes: Sequence[Shape]) -> Foot:
    """The shape of a foot: a sole if the lowest of its points span a rectangle, and a ball.

    Args:
        robot: The robot.
        frame: Index of the foot's frame.
        up: What is upwards while it stands, in that frame (3,).
        shapes: Shapes of the robot's links. Those of the foot's own link count; if it has none,
            or no sole, as a marker has none, those of all links that are fixed on it.
    """
    own, every = _on_foot(robot, frame, shapes)
    ball, sole = _ball(own), _flat(own, up)
    centered = ball is not None and np.linalg.norm(ball.points) <= CENTERED
    radius = ball.radius if ball is not None and centered else 0.0
    return Foot(radius, _flat(every, up) if sole is None else sole)


def wheel_radius(robot: Robot, frame: int, up: Array, shapes: Sequence[Shape]) -> float:
    """The radius of a foot that is a wheel, on a level axle through its frame; else 0."""
    back = np.linalg.inv(matrix(robot.frames[frame].pose))
    axle, place = back[:3, 2], back[:3, 3]
    here, _ = _on_foot(robot, frame, shapes)
    if not robot.joints[robot.frames[frame].link - 1].kind.turns or abs(axle @ up) > UPRIGHT:
        return 0.0
    if not here or np.linalg.norm(np.cross(axle, place)) > CENTERED:
        return 0.0
    across = np.array([up, np.cross(axle, up)])
    turns = np.linspace(0.0, 2.0 * np.pi, WAYS, endpoint=False)
    reaches = [_reach(here, way) for way in np.stack([np.cos(turns), np.sin(turns)], 1) @ across]
    return reaches[0] if min(reaches) > ROUND * max(reaches) else 0.0


def depth(robot: Robot, frame: int, up: Array, shapes: Sequence[Shape]) -> float:
    """The distance that the shapes of a foot reach below its frame [m]; 0 if it has none."""
    return _reach(_on_foot(robot, frame, shapes)[0], up)


def _on_foot(robot: Robot, frame: int, shapes: Sequence[Shape]) -> tuple[list[Shape], list[Shape]]:
    """Shapes that are read of a foot's own link, or else of all fixed on it; those of all."""
    foot = robot.frames[frame]
    back = np.linalg.inv(matrix(foot.pose))
    places = {
        other.of_link: back @ matrix(other.pose)
        for other in robot.frames
        if other.link == foot.link and other.of_link is not None
    }
    read = [shape for shape in shapes if shape.link in places and not shape.unread]
    every = [shape.moved(places[shape.link]) for shape in read]
    return [shape for shape in every if shape.link == foot.of_link] or every, every


def _reach(shapes: Sequence[Shape], up: Array) -> float:
    return -min((float((shape.lowest(up) @ up).min()) for shape in shapes), default=0.0)


def _ball(shapes: Sequence[Shape]) -> Shape | None:
    """The ball that shapes are, cylinders aside."""
    balls = [shape for shape in shapes if len(shape.points) != 2]
    return balls[0] if len(balls) == 1 == len(balls[0].points) else None


def _flat(shapes: Sequence[Shape], up: Array) -> Array | None:
    """The sole of shapes that are no ball."""
    ways = [up, *_faces([shape.points for shape in shapes], up)] if _ball(shapes) is None else []
    for way in ways:
        points = [point for shape in shapes for point in shape.lowest(way)]
        if (sole := _sole(np.array(points), way)) is not None:
            return sole
    return None


def _faces(shapes: Sequence[Array], up: Array) -> list[Array]:
    """Normals of faces of boxes, whose corners count in binary, that are nearly upwards."""
    edges = [points[[1, 2, 4]] - points[0] for points in shapes if len(points) == 8]
    normals = [edge / np.linalg.norm(edge) for edge in np.reshape(edges, (-1, 3)) if edge.any()]
    upwards = [normal * np.sign(normal @ up) for normal in normals]
    near = [normal for normal in upwards if normal @ up > np.cos(TILTED)]
    return sorted(near, key=lambda normal: -float(normal @ up))


def _sole(points: Array, up: Array) -> Array | None:
    """The lowest of points where these are a rectangle; else one within four, or about others."""
    if not len(points):
        return None
    axes = _level(up)
    heights = points @ up
    lowest = points[heights <= heights.min() + LEVEL]
    flat = lowest @ axes.T
    low, high = flat.min(axis=0), flat.max(axis=0)
    if min(high - low) < LEAST:
        return None
    if len(flat) != 4:
        flat = np.array([[low[0], low[1]], [high[0], low[1]], high, [low[0], high[1]]])
    angles = np.arctan2(*(flat - flat.mean(axis=0)).T[::-1])
    return np.asarray(_rectangle_within(flat[np.argsort(angles)]) @ axes + heights.min() * up)


def _level(up: Array) -> Array:
    """Two axes (2, 3) at right angles to a direction, the first near one of the frame."""
    x = np.eye(3)[int(np.argmin(np.abs(up)))]
    x = x - up * (x @ up)
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(up, x)])


def _rectangle_within(border: Array) -> Array:
    """The corners of a rectangle (4, 2) as they are, else of a large one within these four."""
    sides = np.roll(border, -1, axis=0) - border
    lengths = np.linalg.norm(sides, axis=1)
    skew = np.abs(np.einsum("ki,ki->k", sides, np.roll(sides, -1, axis=0)))
    if (skew <= SQUARE * lengths * np.roll(lengths, -1)).all():
        return border
    middles = border + 0.5 * sides
    found = [_rectangle_along(border, way) for way in (*sides, *(middles[:2] - middles[2:]))]
    return max(
        found, key=lambda corners: np.prod(np.linalg.norm(np.diff(corners, axis=0)[:2], axis=1))
    )


def _rectangle_along(border: Array, way: Array) -> Array:
    """The largest rectangle (4, 2) about the middle of a border, with sides along a direction."""
    x, y = way / np.linalg.norm(way)
    turn = np.array([[x, y], [-y, x]])
    corners = (border - border.mean(axis=0)) @ turn.T
    outwards = (np.roll(corners, -1, axis=0) - corners) @ np.array([[0, -1], [1, 0]])
    room = np.einsum("ki,ki->k", outwards, corners)
    ratios = np.geomspace(0.02, 50.0, 4000)
    sizes = (room / (np.abs(outwards[:, 0]) + ratios[:, None] * np.abs(outwards[:, 1]))).min(axis=1)
    best = int(np.argmax(sizes**2 * ratios))
    half = sizes[best] * np.array([1.0, ratios[best]])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(border.mean(axis=0) + (signs * half) @ turn)

"""A robot that walks over the ground, as one HTML file that needs no server and no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.standing.statics import RestingState
from robcogen_ros.view import tables
from robcogen_ros.view.camera import aim, beside_panel, outline
from robcogen_ros.view.model import Model
from robcogen_ros.view.page import beside, details, heading
from robcogen_ros.view.scene import Look, Scene

_LONG, _FAR = 4.0, 3.0
"""Time that a robot walks [s], unless that is farther than so many times its size."""
_STRIDES = 2
"""Strides that are shown at least."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """Stride of a robot that walks.

    Attributes:
        times: Instants; at the first and the last the robot is alike (k) [s].
        bases: Poses of the base in the world (k, 4, 4).
        q: Positions of the joints (k, n).
        efforts: Their efforts (k, n).
        forces: Forces of the ground on the feet, in axes of the world (k, feet, 3) [N].
    """

    times: Array
    bases: Array
    q: Array
    efforts: Array
    forces: Array

    @property
    def ahead(self) -> Array:
        """The way that a stride leads (3,) [m]."""
        return np.asarray(self.bases[-1, :3, 3] - self.bases[0, :3, 3])

    def repeats(self, size: float) -> int:
        """Returns the number of times it is shown, of a robot of some size [m]."""
        long = np.ceil(_LONG / (self.times[-1] - self.times[0]))
        far = _FAR * size / max(float(np.linalg.norm(self.ahead)), 1e-9)
        return max(_STRIDES, int(min(long, far)))


def page(
    server: Any, model: Model, trajectory: Trajectory, told: Sequence[str], *, dark: bool = False
) -> str:
    """The page: the robot walks again and again, numbers beside it.

    Args:
        server: A server without a scene.
        model: The robot, its feet as contacts.
        trajectory: How it walks, a stride.
        told: What is said of it, a line each.
        dark: Whether the background is dark.
    """
    states = [_state(model, trajectory, k) for k in range(len(trajectory.times))]
    points = outline(model, states[0])
    repeats = trajectory.repeats(float(np.linalg.norm(np.ptp(points, axis=0))))
    way = repeats * trajectory.ahead
    scene = Scene(server, model, Look(dark=dark), states[0], (way[0], way[1]))
    aim(server, beside_panel(np.vstack([points, points + way]), azimuth=-60.0))
    recording = server.get_scene_serializer()
    for number in range(repeats):
        for k, state in enumerate(states[1:]):
            recording.insert_sleep(float(trajectory.times[k + 1] - trajectory.times[k]))
            scene.show(_moved(state, number * trajectory.ahead))
    html: str = recording.as_html(dark_mode=dark)
    return beside(html, model.robot.name, _sections(model, trajectory, states[0], told), dark)


def _state(model: Model, trajectory: Trajectory, k: int) -> RestingState:
    base, q, robot = trajectory.bases[k], trajectory.q[k], model.robot
    frames = base @ robot.frame_poses(q)
    feet = [contact.frame for contact in robot.contact_records]
    center = base[:3, :3] @ robot.center_of_mass(q) + base[:3, 3]
    points = frames[feet, :3, 3]
    return RestingState(
        q, base, frames, center, trajectory.efforts[k], points, trajectory.forces[k], True
    )


def _moved(state: RestingState, by: Array) -> RestingState:
    """Returns the state moved by a way."""
    base, frames = state.base.copy(), state.frames.copy()
    base[:3, 3] += by
    frames[:, :3, 3] += by
    center, points = state.center + by, state.points + by
    return replace(state, base=base, frames=frames, center=center, points=points)


def _sections(
    model: Model, trajectory: Trajectory, state: RestingState, told: Sequence[str]
) -> Iterator[str]:
    yield from heading(model)
    for line in told:
        yield f"<p>{escape(line)}</p>"
    most = np.take_along_axis(
        trajectory.efforts, np.abs(trajectory.efforts).argmax(axis=0)[None], axis=0
    )
    greatest = tables.efforts(model, replace(state, efforts=most[0]))
    yield details("efforts", "Greatest efforts, by their limits", greatest)

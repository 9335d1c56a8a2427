"""A robot's scene: a node for each link and frame, moved as its joints move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.quaternions import quaternions
from robcogen_ros.standing.statics import RestingState
from robcogen_ros.view import colors
from robcogen_ros.view.bones import bones
from robcogen_ros.view.camera import outline
from robcogen_ros.view.ellipsoids import drawn_axes, manipulability
from robcogen_ros.view.model import Model
from robcogen_ros.view.surfaces import Color, Surface

Array = NDArray[np.float64]

LAYERS = {
    "shapes": "surfaces of the links",
    "frames": "axes of all frames, smaller those of what is lumped into a link",
    "names": "names of links, and of what is lumped into them",
    "inertia": "ellipsoids of equal inertia, red where no body has it",
    "center": "center of mass",
    "forces": "forces of the ground on the feet",
    "manipulability": "how fast a frame can move",
    "grid": "the ground",
}
"""Layers that can be shown, and what they are."""
USUAL = ("shapes", "forces", "grid")
COLORS = {
    "file": "as in the file",
    "links": "a color for each link that is generated, lighter what is lumped into it",
    "operations": "operations of a function by link",
    "effort": "effort that holds the robot by its limit",
}
"""Meanings of the colors of links."""

_LIGHTS = (
    ("key", (2.0, 1.2, 3.0), 1.9),
    ("fill", (-1.0, 3.0, 1.0), 0.35),
    ("back", (-2.0, -2.0, 1.5), 0.5),
)
"""Lights, their directions in sizes of the robot, and how bright they are."""
_GHOST, _GLASS = 0.3, 0.5
"""Opacity of surfaces around what is inside them, and of ellipsoids."""
_NEAR = 0.02
"""Distance within which frames share a label, as a share of the robot's size."""
_OTHER_NODES = re.compile(
    r"sky|ground|light \w+|center of mass|manipulability|forces|name|(surface|inertia) \d+"
)
"""Names of nodes that are no links and frames."""


@dataclass
class Look:
    """Settings of what is shown.

    Attributes:
        layers: Names of `LAYERS`.
        color: What colors say, of `COLORS`.
        function: The function whose operations they say.
        frame: The frame whose manipulability is shown.
        dark: Whether the background is dark.
    """

    layers: set[str] = field(default_factory=lambda: set(USUAL))
    color: str = "file"
    function: str = "inverse_dynamics"
    frame: str = ""
    dark: bool = False


class Scene:
    """A robot's scene on a server of viser's.

    Attributes:
        look: What is shown; `show` shows changes of it.
        size: The robot's size [m].
        nodes: Names of the nodes of frames, by name of the frame.
    """

    def __init__(
        self,
        server: Any,
        model: Model,
        look: Look,
        state: RestingState,
        way: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Adds all nodes.

        Args:
            server: A `viser.ViserServer`.
            model: The robot.
            look: What is shown.
            state: Where it is at first.
            way: How far it will go, along x and y: so far the ground is shown [m].
        """
        self._api, self._model, self.look = server.scene, model, look
        points = outline(model, state)
        self.size = max(float(np.linalg.norm(np.ptp(points, axis=0))), 1e-3)
        self.nodes: dict[str, str] = {}
        self._frames: dict[int, tuple[int | None, Any]] = {}
        self._surfaces: list[tuple[Surface, int, Any]] = []
        self._layers: dict[str, list[Any]] = {layer: [] for layer in LAYERS}
        self._operations: dict[str, list[int]] = {}
        self._lights()
        self._grid(points, np.array(way))
        self._tree()
        self._add_surfaces()
        self._add_ellipsoids()
        self._add_names(state)
        self._add_movable()
        self.show(state)

    def show(self, state: RestingState) -> None:
        """Shows a state, and the look as it is now."""
        inverse = np.linalg.inv(state.frames)
        for index, (parent, handle) in self._frames.items():
            pose = state.frames[index]
            _place(handle, pose if parent is None else inverse[parent] @ pose)
        self._show_movable(state)
        self._show_layers()
        self._show_colors(state)

    def operations(self) -> list[int]:
        """Operations of the look's function by body."""
        name = self.look.function
        if name not in self._operations:
            self._operations[name] = self._model.operations(name)[0]
        return self._operations[name]

    def _lights(self) -> None:
        """A key light with shadows, one from the other side, and the sky."""
        self._api.configure_default_lights(enabled=False)
        self._api.configure_environment_map(None)
        self._api.add_light_hemisphere(
            "/sky", sky_color=(255, 255, 255), ground_color=(190, 190, 196), intensity=1.1
        )
        for name, place, intensity in _LIGHTS:
            self._api.add_light_directional(
                f"/light {name}",
                intensity=intensity,
                cast_shadow=name == "key",
                position=tuple(self.size * part for part in place),
            )

    def _grid(self, points: Array, way: Array) -> None:
        cell = 10.0 ** np.floor(np.log10(self.size)) / 4
        shade = (70, 74, 82) if self.look.dark else (205, 210, 216)
        ground = 0.0 if self._model.footing.contacts else float(min(points[:, 2].min(), 0.0))
        width, length = 2 * cell * np.ceil((1.1 * self.size + 0.5 * np.abs(way)) / cell)
        grid = self._api.add_grid(
            "/ground",
            width=width,
            height=length,
            cell_size=cell,
            section_size=4 * cell,
            cell_color=shade,
            section_color=shade,
            cell_thickness=0.6,
            section_thickness=1.0,
            shadow_opacity=0.25,
            position=(*(4 * cell * np.round(way / (8 * cell))), ground - 1e-4 * self.size),
        )
        self._layers["grid"].append(grid)
        self._api.world_axes.visible = False

    def _tree(self) -> None:
        """Nodes of bodies, each below its predecessor, and on them those of other frames."""
        tree, own = self._model.tree, self._model.own_frames
        paths = ["/" + _safe(tree.links[0].name)]
        for joint in tree.joints:
            path = paths[joint.predecessor]
            paths.append(f"{path}/{_safe(tree.links[joint.successor].name)}")
        parents = [None, *(own[joint.predecessor] for joint in tree.joints)]
        length = 0.07 * self.size
        for number, path in enumerate(paths):
            self._add_frame(own[number], parents[number], path, length, (236, 200, 0))
        for index, frame in enumerate(tree.frames):
            if index != own[frame.link]:
                path = f"{paths[frame.link]}/{_safe(self._called(index))}"
                self._add_frame(index, own[frame.link], path, 0.5 * length, (150, 150, 150))

    def _add_frame(
        self, index: int, parent: int | None, path: str, length: float, color: Color
    ) -> None:
        handle = self._api.add_frame(
            path, axes_length=length, axes_radius=0.04 * length, origin_color=color
        )
        self._frames[index] = parent, handle
        self.nodes[self._model.tree.frames[index].name] = path

    def _called(self, index: int) -> str:
        """A frame's name, and which link it is part of where it is not that link's own."""
        frame = self._model.tree.frames[index]
        if index == self._model.own_frames[frame.link]:
            return frame.name
        return f"{frame.name} (part of {self._model.tree.links[frame.link].name})"

    def _add_surfaces(self) -> None:
        tree = self._model.tree
        frames = {frame.of_link: i for i, frame in enumerate(tree.frames)}
        parts = self._model.surfaces or bones(self._model, self.size)
        for number, part in enumerate(parts):
            index = frames[part.link]
            handle = self._api.add_mesh_simple(
                f"{self.nodes[tree.frames[index].name]}/surface {number}",
                part.vertices,
                part.faces,
                color=part.color,
                side="double",
                receive_shadow=False,
            )
            self._surfaces.append((part, tree.frames[index].link, handle))
            self._layers["shapes"].append(handle)

    def _add_ellipsoids(self) -> None:
        frames = {frame.of_link: frame.name for frame in self._model.tree.frames}
        for number, each in enumerate(self._model.ellipsoids):
            handle = self._api.add_icosphere(
                f"{self.nodes[frames[each.link]]}/inertia {number}",
                subdivisions=4,
                scale=tuple(float(axis) for axis in drawn_axes(each, self.size)),
                color=colors.IMPOSSIBLE if each.breach else colors.POSSIBLE,
                opacity=None if each.breach else _GLASS,
                cast_shadow=False,
                position=tuple(each.center),
                wxyz=quaternion(each.rotation),
            )
            self._layers["inertia"].append(handle)

    def _add_names(self, state: RestingState) -> None:
        """A label for frames at one place, below each other."""
        frames, groups = self._model.tree.frames, list[list[int]]()
        order = [*self._model.own_frames]
        order += [i for i in range(len(frames)) if i not in order]
        for index in order:
            place = state.frames[index, :3, 3]
            near = (
                group
                for group in groups
                if np.linalg.norm(state.frames[group[0], :3, 3] - place) < _NEAR * self.size
            )
            group = next(near, None)
            if group is None:
                groups.append([index])
            else:
                group.append(index)
        for group in groups:
            node = self.nodes[frames[group[0]].name]
            text = "\n".join(map(self._called, group))
            label = self._api.add_label(f"{node}/name", text, font_screen_scale=0.7)
            self._layers["names"].append(label)

    def _add_movable(self) -> None:
        """Adds what moves with the state as a whole."""
        self._center = self._api.add_icosphere(
            "/center of mass", radius=0.018 * self.size, color=colors.CENTER, cast_shadow=False
        )
        self._speeds = self._api.add_icosphere(
            "/manipulability",
            subdivisions=4,
            color=colors.SPEEDS,
            opacity=_GLASS,
            cast_shadow=False,
        )
        self._forces = [
            self._api.add_arrows(
                f"/forces/{foot}",
                np.zeros((0, 2, 3)),
                colors.FORCE,
                shaft_radius=0.008 * self.size,
                head_radius=0.02 * self.size,
                head_length=0.045 * self.size,
            )
            for foot in range(len(self._model.footing.contacts))
        ]
        self._layers["center"].append(self._center)
        self._layers["forces"] += self._forces
        self._layers["manipulability"].append(self._speeds)

    def _show_movable(self, state: RestingState) -> None:
        self._center.position = tuple(state.center)
        unit = 0.5 * self.size / self._model.statics.weight if state.forces.any() else 0.0
        pushes = state.forces.any(axis=1)
        points, forces = state.points[pushes], unit * state.forces[pushes]
        for i, arrow in enumerate(self._forces):
            if i < len(points):
                arrow.position = tuple(points[i])
            arrow.points = np.stack([0 * forces, forces], axis=1)[i : i + 1]
        if self.look.frame:
            self._show_speeds(state)

    def _show_speeds(self, state: RestingState) -> None:
        """The manipulability ellipsoid, its longest half axis a sixth of the robot's size."""
        robot = self._model.robot
        found = manipulability(robot, self.look.frame, state.q)
        longest = max(float(found.axes[0]), 1e-12)
        axes = np.maximum(found.axes / longest, 0.01) * self.size / 6
        self._speeds.scale = tuple(float(axis) for axis in axes)
        self._speeds.wxyz = quaternion(_proper(state.base[:3, :3] @ found.rotation))
        place = state.frames[self._model.tree.frame_index(self.look.frame), :3, 3]
        self._speeds.position = tuple(place)

    def _show_layers(self) -> None:
        shown = self.look.layers
        for layer, handles in self._layers.items():
            for handle in handles:
                _set(handle, "visible", layer in shown)
        for _, handle in self._frames.values():
            _set(handle, "show_axes", "frames" in shown)
        _set(self._speeds, "visible", "manipulability" in shown and bool(self.look.frame))
        for part, _, handle in self._surfaces:
            opacity = _GHOST * part.opacity if self._ghosts else part.opacity
            _set(handle, "opacity", None if opacity >= 1.0 else opacity)

    @property
    def _ghosts(self) -> bool:
        """True if surfaces are seen through, for what is inside them."""
        return bool(self.look.layers & {"inertia", "frames"})

    def _show_colors(self, state: RestingState) -> None:
        for (_, _, handle), color in zip(self._surfaces, self._wanted(state), strict=True):
            if tuple(handle.color) != color:
                handle.color = color

    def _wanted(self, state: RestingState) -> Iterator[Color]:
        tree, color = self._model.tree, self.look.color
        loads = body_loads(self._model, state) if color == "effort" else {}
        counts = self.operations() if color == "operations" else []
        for part, body, _ in self._surfaces:
            if color == "links":
                yield colors.of_body(body, part.link != tree.links[body].name)
            elif color == "operations":
                yield colors.of_share(counts[body] / max(*counts, 1))
            elif color == "effort":
                yield colors.of_load(loads.get(body, np.nan))
            else:
                yield colors.of_ghost(part.color) if self._ghosts else part.color


def body_loads(model: Model, state: RestingState) -> dict[int, float]:
    """The effort of each body's joint by its limit; NaN where there is none."""
    limits = model.robot.effort_limits
    known = np.isfinite(limits) & (limits > 0)
    loads = np.where(known, np.abs(state.efforts) / np.where(known, limits, 1.0), np.nan)
    return {joint.successor: float(loads[joint.coordinate]) for joint in model.tree.joints}


def quaternion(rotation: Array) -> tuple[float, float, float, float]:
    """w, x, y, z of a rotation (3, 3), w not negative."""
    x, y, z, w = quaternions(rotation[None])[0].tolist()
    return w, x, y, z


def _proper(rotation: Array) -> Array:
    """Returns the axes as a rotation."""
    return np.asarray(rotation * [1.0, 1.0, np.linalg.det(rotation)])


def _place(handle: Any, pose: Array) -> None:
    handle.position = tuple(pose[:3, 3])
    handle.wxyz = quaternion(pose[:3, :3])


def _set(handle: Any, name: str, value: object) -> None:
    if getattr(handle, name) != value:
        setattr(handle, name, value)


def _safe(name: str) -> str:
    """A name as part of a node's, which slashes divide; no two names become one, or other nodes."""
    safe = name.replace("%", "%25").replace("/", "%2F")
    return f"%{safe}" if _OTHER_NODES.fullmatch(safe) else safe

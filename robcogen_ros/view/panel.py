"""The panel beside a scene: sliders of the joints, what is shown, numbers."""

from __future__ import annotations

import threading
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.standing.statics import RestingState
from robcogen_ros.view import tables
from robcogen_ros.view.ellipsoids import manipulability
from robcogen_ros.view.model import COUNTED, Model
from robcogen_ros.view.scene import COLORS, LAYERS, Look, Scene

Array = NDArray[np.float64]

_STEPS = 1000
"""Places of a slider."""
_FREE_LENGTH = 1.0
"""Range of a joint that slides without limits, to either side [m]."""
_MOST_NAMED = 500
"""Frames that can be chosen."""


class Panel:
    """A scene and its panel.

    Attributes:
        model: The robot.
        scene: The scene.
        state: What is shown.
        sliders: By joint.
    """

    def __init__(self, server: Any, model: Model, look: Look, q: Array) -> None:
        """Adds all to a server of viser's.

        Args:
            server: The server.
            model: The robot.
            look: What is shown.
            q: Positions of the joints at first (n,).
        """
        self._gui, self.model, self._look = server.gui, model, look
        self._server = server
        self._changed = threading.Event()
        self._told = ""
        self.state: RestingState = model.statics.at(q)
        self.scene = Scene(server, model, look, self.state)
        self._gui.add_html(_padded(tables.summary(model)))
        self.sliders = self._add_sliders(q)
        self._add_efforts()
        self._add_layers()
        self._add_colors()
        self._add_breaches()
        self._tell()

    @property
    def changed(self) -> bool:
        """True if the user has changed something that is not shown yet."""
        return self._changed.is_set()

    def show_changes(self) -> bool:
        """Shows what the user has changed since; whether that was anything."""
        if not self._changed.is_set():
            return False
        self._changed.clear()
        q = np.array([self.sliders[name].value for name in self.model.robot.joint_names])
        self._told = ""
        self.show(self.model.statics.at(q))
        return True

    def show(self, state: RestingState) -> None:
        """Shows a state."""
        self.state = state
        with self._server.atomic():
            self.scene.show(state)
            self._tell()

    def follow(self, state: RestingState, told: str) -> None:
        """Shows where a robot is that is not moved by sliders, and what is to be told of it."""
        self._told = told
        for slider, position in zip(self.sliders.values(), state.q, strict=True):
            slider.value = float(np.clip(position, slider.min, slider.max))
        self._changed.clear()
        self.show(state)

    def move(self, q: Array) -> None:
        """Puts the sliders at positions (n,)."""
        for slider, position in zip(self.sliders.values(), q, strict=True):
            slider.value = float(np.clip(position, slider.min, slider.max))
        self._changed.set()

    def _add_sliders(self, q: Array) -> dict[str, Any]:
        robot, sliders = self.model.robot, {}
        with self._gui.add_folder("Joints"):
            names = ("standing", "middle", "zero")
            buttons = self._gui.add_button_group("go to", names)
            buttons.on_click(lambda _: self._go(buttons.value))
            for i, name in enumerate(robot.joint_names):
                low, high = self._range(i)
                sliders[name] = self._gui.add_slider(
                    name,
                    min=low,
                    max=high,
                    step=(high - low) / _STEPS,
                    initial_value=float(np.clip(q[i], low, high)),
                    hint=str(robot.units[i]),
                )
                sliders[name].on_update(self._slid)
        return sliders

    def _slid(self, event: Any) -> None:
        if event.client is not None:
            self._changed.set()

    def _range(self, joint: int) -> tuple[float, float]:
        robot = self.model.robot
        free = _FREE_LENGTH if robot.units[joint] == "m" else np.pi
        low, high = robot.lower_limits[joint], robot.upper_limits[joint]
        low = float(low) if np.isfinite(low) else -free
        high = float(high) if np.isfinite(high) else free
        return (low, high) if low < high else (low, low + 1e-6)

    def _go(self, posture: str) -> None:
        try:
            self.move(self.model.posture(posture, {}))
        except RobcogenError as error:
            self._standing.content = _text(str(error))

    def _add_efforts(self) -> None:
        with self._gui.add_folder("Efforts against gravity, by their limits"):
            self._standing = self._gui.add_html("")
            self._efforts = self._gui.add_html("")

    def _add_layers(self) -> None:
        with self._gui.add_folder("Shown"):
            for layer, meaning in LAYERS.items():
                box = self._gui.add_checkbox(layer, layer in self._look.layers, hint=meaning)
                box.on_update(lambda event, layer=layer: self._toggle(layer, event.target.value))
            frames = self.model.robot.frame_names[:_MOST_NAMED]
            chosen = self._look.frame if self._look.frame in frames else frames[-1]
            self._look.frame = chosen
            frame = self._gui.add_dropdown("frame that moves", frames, initial_value=chosen)
            frame.on_update(lambda _: self._choose("frame", frame.value))
            self._speeds = self._gui.add_html("")

    def _add_colors(self) -> None:
        with self._gui.add_folder("Colors"):
            color = self._gui.add_dropdown("say", tuple(COLORS), initial_value=self._look.color)
            color.on_update(lambda _: self._choose("color", color.value))
            function = self._gui.add_dropdown(
                "operations of", COUNTED, initial_value=self._look.function
            )
            function.on_update(lambda _: self._choose("function", function.value))
            self._operations = self._gui.add_html("")

    def _add_breaches(self) -> None:
        breaches = tables.breaches(self.model)
        if breaches:
            with self._gui.add_folder("Inertia that no body has"):
                for breach in breaches:
                    self._gui.add_html(_text(breach))

    def _toggle(self, layer: str, shown: bool) -> None:
        (self._look.layers.add if shown else self._look.layers.discard)(layer)
        self._changed.set()

    def _choose(self, what: str, value: str) -> None:
        setattr(self._look, what, value)
        self._changed.set()

    def _tell(self) -> None:
        """The numbers of the state."""
        model, look = self.model, self._look
        self._efforts.content = _padded(tables.efforts(model, self.state))
        told = [tables.standing(model, self.state), self._told]
        self._standing.content = _text("; ".join(filter(None, told)))
        found = manipulability(model.robot, look.frame, self.state.q)
        self._speeds.content = _text(tables.speeds(look.frame, found))
        counted = look.color == "operations"
        table = tables.operations(model, self.scene.operations()) if counted else ""
        self._operations.content = _padded(table)


def _text(text: str) -> str:
    """A text as HTML; viser's Markdown would run what names of a file say."""
    return _padded(escape(text)) if text else ""


def _padded(html: str) -> str:
    return f'<div style="margin:4px 10px">{html}</div>'

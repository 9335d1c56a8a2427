"""A robot as one HTML file that needs no server and no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from robcogen_ros.standing.statics import RestingState
from robcogen_ros.view import tables
from robcogen_ros.view.ellipsoids import manipulability
from robcogen_ros.view.model import Model
from robcogen_ros.view.scene import LAYERS, Scene

_STYLE = (
    "position:fixed;top:12px;right:12px;width:330px;max-height:calc(100vh - 24px);overflow:auto;"
    "box-sizing:border-box;padding:10px 14px;border-radius:8px;z-index:5;"
    "font:13px/1.45 system-ui,sans-serif;box-shadow:0 1px 6px rgba(0,0,0,.25);"
)


def page(server: Any, model: Model, scene: Scene, state: RestingState) -> str:
    """The page: the scene, which can be turned, and numbers beside it.

    Args:
        server: The server that has the scene.
        model: The robot.
        scene: Its scene.
        state: Where it is.
    """
    html: str = server.scene.as_html(dark_mode=scene.look.dark)
    return beside(html, model.robot.name, _sections(model, scene, state), scene.look.dark)


def beside(html: str, title: str, sections: Iterable[str], dark: bool) -> str:
    """A page of viser's with a title and with text beside the scene."""
    colors = "background:#1b1e24;color:#e6e8ec" if dark else "background:#fff;color:#20242b"
    aside = f'<aside id="robcogen" style="{_STYLE}{colors}">{"".join(sections)}</aside>'
    begin, end = html.find("<title>"), html.find("</title>")
    if 0 <= begin < end:
        html = f"{html[:begin]}<title>{escape(title)}{html[end:]}"
    place = html.rindex("</body>")
    return html[:place] + aside + html[place:]


def _sections(model: Model, scene: Scene, state: RestingState) -> Iterator[str]:
    look = scene.look
    yield from heading(model)
    if text := tables.standing(model, state):
        yield f'<p id="robcogen-standing">{escape(text)}</p>'
    shown = ", ".join(LAYERS[layer] for layer in LAYERS if layer in look.layers)
    yield f"<p>Shown: {escape(shown)}.</p>"
    if look.frame and "manipulability" in look.layers:
        found = manipulability(model.robot, look.frame, state.q)
        yield f'<p id="robcogen-speeds">{escape(tables.speeds(look.frame, found))}</p>'
    for breach in tables.breaches(model):
        yield f'<p class="robcogen-breach" style="color:#d62728">{escape(breach)}</p>'
    yield details(
        "efforts", "Efforts against gravity, by their limits", tables.efforts(model, state)
    )
    if look.color == "operations":
        table = tables.operations(model, scene.operations())
        yield details("operations", f"Operations of {look.function}", table)


def heading(model: Model) -> Iterator[str]:
    """Yields the robot's name and summary."""
    yield f'<h1 style="font-size:18px;margin:0">{escape(model.robot.name)}</h1>'
    yield f"<p>{tables.summary(model)}</p>"


def details(name: str, title: str, content: str) -> str:
    """A section that can be closed."""
    heading = f'<summary style="cursor:pointer;font-weight:600">{escape(title)}</summary>'
    return f'<details open id="robcogen-{name}">{heading}{content}</details>'

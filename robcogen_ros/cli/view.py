"""The command view: a robot in a browser, as a page, as a picture."""

from __future__ import annotations

import argparse
import math
import sys
import time
import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run
from robcogen_ros.cli.files.writing import check_output, write
from robcogen_ros.cli.options.model import add_model_options, read_model, read_text, warn
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.formats.read import Reading
from robcogen_ros.formats.source import Source
from robcogen_ros.parameters.assignments import END_OF_ROS, divided
from robcogen_ros.progress import task
from robcogen_ros.view import picture
from robcogen_ros.view.camera import AZIMUTH, ELEVATION, aim, beside_panel, fitted, outline
from robcogen_ros.view.model import COUNTED, Model, make
from robcogen_ros.view.page import page
from robcogen_ros.view.panel import Panel
from robcogen_ros.view.scene import COLORS, LAYERS, USUAL, Look, Scene
from robcogen_ros.view.server import PORT, address, serving

POSTURES = ("standing", "middle", "zero")
_MOST_PIXELS = 8192
_FRAMES_PER_SECOND = 30


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "view",
        "Show a robot in a browser, as its dynamics sees it: shapes, links as they are "
        "generated, inertia, efforts against gravity, manipulability, operations of each link.",
        "arm.urdf",
        "arm.urdf --html arm.html",
    )
    add_model_options(parser)
    _add_look_options(parser)
    _add_output_options(parser)
    add_quiet_option(parser)
    return run(_view, parser.parse_args(argv))


def command_or_node(argv: Sequence[str] | None = None) -> int:
    """Runs the command where an option of it is given, else the node; returns the exit code.

    `ros2 run robcogen_ros view` is the node that shows a robot as it moves, with or without a
    file; `ros2 run robcogen_ros view FILE --html PAGE` is the command.
    """
    words = sys.argv[1:] if argv is None else argv
    own, _ = divided(words)
    if any(word.startswith("-") and word != END_OF_ROS for word in own):
        return main(words)
    from robcogen_ros.view.live import main as node  # needs rclpy

    return node(["view", *words])


def _add_look_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options that say what is shown."""
    parser.add_argument(
        "--posture",
        nargs="+",
        default=[],
        type=_posture,
        metavar="POSTURE",
        help="after MODEL: standing (the default: a robot on legs stands, others are bent), "
        "middle of all ranges, zero, and JOINT=VALUE of single joints [rad or m]",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        type=_value,
        metavar="NAME=VALUE",
        help="value of a parameter of the model (repeatable; default: that of the file)",
    )
    parser.add_argument("--srdf", metavar="FILE", help="with the state in which the robot stands")
    parser.add_argument(
        "--show",
        nargs="+",
        default=list(USUAL),
        choices=LAYERS,
        metavar="LAYER",
        help=f"after MODEL: {', '.join(LAYERS)} (default: {' '.join(USUAL)})",
    )
    parser.add_argument(
        "--color",
        default="file",
        choices=COLORS,
        help="what the colors of links say: "
        + "; ".join(f"{name}: {meaning}" for name, meaning in COLORS.items())
        + " (default: file)",
    )
    parser.add_argument(
        "--function",
        default=COUNTED[0],
        choices=COUNTED,
        help=f"function whose operations are shown (default: {COUNTED[0]})",
    )
    parser.add_argument(
        "--frame",
        metavar="FRAME",
        help="frame whose manipulability is shown (default: one that most joints move)",
    )
    parser.add_argument(
        "--background",
        default="light",
        choices=(*picture.BACKGROUNDS, "none"),
        help="light, dark, or none: a picture that can be seen through (default: light)",
    )


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options that say where it is shown."""
    parser.add_argument("--html", metavar="FILE", help="write a page that needs no server")
    parser.add_argument(
        "--png",
        metavar="FILE",
        help=f"write a picture; needs Chromium, on the PATH or named by {picture.VARIABLE}",
    )
    parser.add_argument(
        "--size",
        default=(1200, 900),
        type=_size,
        metavar="WIDTHxHEIGHT",
        help="of the picture (default: 1200x900)",
    )
    parser.add_argument(
        "--from",
        dest="direction",
        nargs=2,
        type=float,
        default=(AZIMUTH, ELEVATION),
        metavar=("AZIMUTH", "ELEVATION"),
        help="where the picture is taken from: degrees from x towards y, and above the horizon "
        f"(default: {AZIMUTH:g} {ELEVATION:g})",
    )
    parser.add_argument("--port", type=_port, help=f"of the server (default: {PORT}, or the next)")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address of the server; 0.0.0.0: for other computers"
    )
    parser.add_argument("--no-browser", action="store_true", help="open no browser")


def _view(options: argparse.Namespace) -> int:
    package("viser", "view")
    check_output(options.html)
    check_output(options.png)
    text = read_text(options)
    reading = read_model(options, text)
    warn(reading.warnings)
    model = model_with_shapes(options, text, reading, dict(options.set))
    given = {name: value for name, value in options.posture if value is not None}
    names = [name for name, value in options.posture if value is None]
    if len(names) > 1:
        raise RobcogenError(f"--posture: {' and '.join(names)} are two postures; give one")
    q = model.posture(names[0] if names else _natural(model), given)
    look = _look(options, model)
    if options.png:
        picture.browser()
    if not (options.html or options.png):
        return _live(options, model, look, q)
    with serving("127.0.0.1", 0, model.robot.name, look.dark) as server:
        state = model.statics.at(q)
        scene = Scene(server, model, look, state)
        points = outline(model, state, "inertia" in look.layers)
        camera = fitted(points, options.size[0] / options.size[1], *options.direction)
        aim(server, beside_panel(points, *options.direction))
        if options.html:
            write(options.html, page(server, model, scene, state))
        if options.png:
            with task(f"drawing {options.png}"):
                picture.draw(server, Path(options.png), options.size, camera, options.background)
    return OK


def _natural(model: Model) -> str:
    """The posture that is shown if none is asked for; what stops a robot from standing is told."""
    try:
        model.posture("standing", {})
    except RobcogenError as error:
        print(f"note: shown in the middle of all ranges: {error}", file=sys.stderr)
        return "middle"
    return "standing"


def _live(options: argparse.Namespace, model: Model, look: Look, q: Any) -> int:
    """Serves until the user has seen enough."""
    with serving(options.host, options.port, model.robot.name, look.dark) as server:
        panel = Panel(server, model, look, q)
        aim(server, beside_panel(outline(model, panel.state), *options.direction))
        url = address(options.host, server)
        print(f"{model.robot.name} is shown at {url} until Ctrl-C", flush=True)
        if not options.no_browser and not webbrowser.open(url):
            print("no browser could be opened; open that address in one", flush=True)
        while True:
            panel.show_changes()
            time.sleep(1 / _FRAMES_PER_SECOND)


def model_with_shapes(
    options: argparse.Namespace, text: Source, reading: Reading, values: Mapping[str, float]
) -> Model:
    """Returns a robot with the shapes that are seen.

    Args:
        options: Those of `add_model_options`; an SRDF as `srdf`.
        text: Its description.
        reading: What was read from it.
        values: Of its parameters.
    """
    with task("reading shapes"):
        model = make(
            reading,
            dict(options.package_paths),
            text if options.model == "-" else Path(text.name),
            options.srdf,
            options.contacts,
            values,
        )
    warn(model.problems)
    return model


def _look(options: argparse.Namespace, model: Model) -> Look:
    frame = options.frame or model.tip
    model.tree.frame_index(frame)
    layers = set(options.show) | ({"manipulability"} if options.frame else set())
    return Look(layers, options.color, options.function, frame, options.background == "dark")


def _posture(text: str) -> tuple[str, float | None]:
    name, separator, value = text.rpartition("=")
    if not separator and text in POSTURES:
        return text, None
    try:
        position = float(value)
    except ValueError:
        position = math.nan
    if not name or not math.isfinite(position):
        raise argparse.ArgumentTypeError(
            f"expected {', '.join(POSTURES)} or JOINT=NUMBER, found '{text}'"
        )
    return name, position


def _value(text: str) -> tuple[str, float]:
    name, value = _posture(text) if "=" in text else ("", None)
    if value is None:
        raise argparse.ArgumentTypeError(f"expected NAME=NUMBER, found '{text}'")
    return name, value


def _size(text: str) -> tuple[int, int]:
    numbers = [int(word) for word in text.split("x") if word.isascii() and word.isdigit()]
    if len(numbers) != 2 or not all(16 <= number <= _MOST_PIXELS for number in numbers):
        raise argparse.ArgumentTypeError(
            f"expected WIDTHxHEIGHT of 16 to {_MOST_PIXELS} pixels, found '{text}'"
        )
    return numbers[0], numbers[1]


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= port < 65536:
        raise argparse.ArgumentTypeError(f"expected 0 to 65535, found '{text}'")
    return port

"""The command robcogen: one word for each thing it does."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from robcogen_ros.cli.common.exits import (
    MODEL_ERROR,
    OK,
    USAGE_ERROR,
    ended_at_once,
    flush,
    interrupted,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.version import __version__

GROUPS = {
    "describe a robot": {
        "check": "check a robot's description, or a document of transforms",
        "view": "show a robot in a browser, as a page, or as a picture",
        "inspect": "show a robot's tree and the cost of its functions",
        "urdf2kindsl": "write a URDF or xacro as a Kinematics-DSL document",
        "kindsl2urdf": "write a Kinematics-DSL document as URDF",
        "mjcf2urdf": "write an MJCF as URDF",
        "urdf2sdf": "write a robot as SDF, for Gazebo",
        "urdf2mjcf": "write a robot in the format of MuJoCo, dynamics unchanged",
        "motions2transforms": "write the transforms between frames, from the motions between them",
    },
    "compute": {
        "new": "write a ROS 2 package around a robot's description",
        "generate": "generate the code of a robot, or of transforms",
        "bench": "measure a robot's functions, beside other libraries",
        "realtime": "measure how punctually a robot's control law runs on this computer",
        "excite": "find a motion from which a robot's inertial parameters can be identified",
        "identify": "find a robot's inertial parameters from a recorded motion",
        "identify-payload": "find what a robot carries, from a recorded motion or poses at rest",
        "design-study": "run a function of yours at many values of a robot's parameters",
    },
    "robots on legs": {
        "gait": "find how a robot on legs walks, by trajectory optimisation",
    },
    "editors": {
        "format": "lay out documents anew, keeping every word and comment",
        "lsp": "language server, for editors",
    },
}
COMMANDS = {name: meaning for group in GROUPS.values() for name, meaning in group.items()}
FOLDERS = {"--cmake-dir": "cmake_directory", "--include-dir": "include_directory"}
"""Options that tell where an installation has what builds on it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command by its name; returns the exit code.

    What a command needs is loaded by it: Ctrl-C meets this line first, and help is quick.
    """
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt as stopped:
        return interrupted(stopped)
    except BrokenPipeError:
        return OK
    finally:
        flush()


def _run(words: list[str]) -> int:
    if words[:1] == ["--version"]:
        print(f"robcogen {__version__}")
        return OK
    if words[:1] and words[0] in FOLDERS:
        render = importlib.import_module("robcogen_ros.backends.render")
        print(getattr(render, FOLDERS[words[0]])())
        return OK
    if words[:1] in (["-h"], ["--help"]):
        print(_usage())
        return OK
    if not words or words[0] not in COMMANDS:
        print(_unknown(words) if words else _usage(), file=sys.stderr)
        return USAGE_ERROR
    try:
        words = [words[0], *_in_file(words[1:])]
    except RobcogenError as error:
        print(error, file=sys.stderr)
        return MODEL_ERROR
    with ended_at_once():
        command = importlib.import_module(f"robcogen_ros.cli.{words[0].replace('-', '_')}")
    code: int = command.main(words[1:])
    return code


def _unknown(words: list[str]) -> str:
    """Returns the message for a first word that is no command."""
    later = [word for word in words if word in COMMANDS]
    if later and not nearest(words[0], COMMANDS):
        others = " ".join(word for word in words if word != later[0])
        return f"the command comes first: robcogen {later[0]} {others}"
    return f"unknown command '{words[0]}'{nearest(words[0], COMMANDS)}\n\n{_usage()}"


def _in_file(words: list[str]) -> list[str]:
    """The words of a command; of a single word @FILE those in the file, one a line."""
    if len(words) != 1 or not words[0].startswith("@"):
        return words
    source = importlib.import_module("robcogen_ros.formats.source")
    text: str = source.read(words[0][1:], "a word a line").text
    return text.removesuffix("\n").split("\n")


def _usage() -> str:
    lines = ["usage: robcogen COMMAND ...", ""]
    for title, commands in GROUPS.items():
        lines += [f"{title}:", *(f"  {name:20}{meaning}" for name, meaning in commands.items()), ""]
    lines += ["robcogen COMMAND --help lists the options of one; robcogen prints with"]
    lines += [f"  {'--version':20}the version"]
    lines += [f"  {'--include-dir':20}the folder of the headers that generated code includes"]
    lines += [f"  {'--cmake-dir':20}the folder that find_package(robcogen_ros) takes"]
    return "\n".join(lines)

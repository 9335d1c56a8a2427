"""The command lsp: a language server over stdin and stdout, for editors."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import run
from robcogen_ros.errors import RobcogenError

_NEEDED = ("pygls", "lsprotocol")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    parser = command_parser(
        "lsp",
        "A language server for .kindsl, .motdsl, .ctdsl and .dtdsl documents. Editors "
        "start it and talk to it over stdin and stdout; docs/editing.md says how.",
        "--stdio",
    )
    parser.add_argument("--stdio", action="store_true", help="the only way, and the default")
    return run(_serve, parser.parse_args(argv))


def _serve(options: argparse.Namespace) -> int:
    try:
        from robcogen_ros.editing.server import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _NEEDED:
            raise
        raise RobcogenError(
            "error: the language server needs pygls, which ROS does not have; install it: "
            "python3 -m pip install pygls"
        ) from error
    make_server().start_io()
    return OK

"""The option by which commands leave optimisations out."""

from __future__ import annotations

import argparse

from robcogen_ros.program.optimisations import OPTIMISATIONS


def add_without_option(parser: argparse.ArgumentParser) -> None:
    """Declares the option that says what to leave out."""
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=OPTIMISATIONS,
        help="leave this optimisation out, to see what it is worth (repeatable)",
    )

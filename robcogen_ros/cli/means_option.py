"""The option by which commands leave means of saving operations out."""

from __future__ import annotations

import argparse

from robcogen_ros.program.means import MEANS


def add_means_option(parser: argparse.ArgumentParser) -> None:
    """Declare the option that says what to leave out."""
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=MEANS,
        help="leave this means of saving operations out, to see what it is worth (repeatable)",
    )

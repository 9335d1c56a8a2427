"""The option of all commands that draw."""

from __future__ import annotations

import argparse


def add_background_option(parser: argparse.ArgumentParser) -> None:
    """Declares the option that says how a picture looks."""
    parser.add_argument(
        "--background",
        default="light",
        choices=("light", "dark"),
        help="of the picture (default: light)",
    )

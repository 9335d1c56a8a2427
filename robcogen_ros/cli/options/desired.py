"""The options by which commands take a file of desired transforms and Jacobians."""

from __future__ import annotations

import argparse

from robcogen_ros.formats import source
from robcogen_ros.formats.transforms import dtdsl
from robcogen_ros.transforms.desired import Desired


def add_desired_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "--desired", metavar="FILE", help="transforms and Jacobians of this .dtdsl file"
    )
    parser.add_argument(
        "--tolerant",
        action="store_true",
        help="only warn about undeclared or unknown frames in it",
    )


def read_desired(options: argparse.Namespace) -> Desired | None:
    """Returns the document that the options ask for; None if there is none.

    Raises:
        ModelError: If the file is wrong.
    """
    if options.desired is None:
        return None
    return dtdsl.read(source.read(options.desired), tolerant=options.tolerant)

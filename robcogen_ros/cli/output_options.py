"""The options that say what is generated, and where it goes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def add_output_options(
    parser: argparse.ArgumentParser, backends: Iterable[str], target: str
) -> None:
    """Declare the options, with the target languages to choose from and a name for the target."""
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="where files go")
    parser.add_argument(
        "--project", default="robots", type=_identifier, help="package, outer namespace"
    )
    parser.add_argument(
        "--target", default=target, type=_identifier, help="target, inner namespace"
    )
    parser.add_argument(
        "--backend",
        action="append",
        choices=list(backends),
        help="target language (repeatable; default: cpp)",
    )
    parser.add_argument("--depfile", metavar="FILE", help="write what the output depends on")
    parser.add_argument("--stamp", metavar="FILE", help="touch this file when all is written")


def _identifier(text: str) -> str:
    if not _IDENTIFIER.match(text):
        raise argparse.ArgumentTypeError(
            f"'{text}' cannot be a C++ namespace: expected letters, digits and _, a letter first"
        )
    return text

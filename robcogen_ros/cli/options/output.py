"""The options that say what is generated, and where it goes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence

from robcogen_ros.cli.common.running import add_quiet_option

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")


def add_output_options(
    parser: argparse.ArgumentParser, languages: Iterable[str], name: str
) -> None:
    """Declares the options, with the languages to choose from and a name for what is generated."""
    parser.add_argument(
        "-o", "--output", required=True, type=_folder, metavar="DIR", help="output folder"
    )
    parser.add_argument(
        "--project", default="robots", type=_identifier, help="outer namespace: the package"
    )
    parser.add_argument(
        "--name", default=name, type=_identifier, help="inner namespace, and name of modules"
    )
    parser.add_argument(
        "--target",
        action="append",
        choices=list(languages),
        help="target language (repeatable; default: cpp)",
    )
    parser.add_argument(
        "--scalar",
        choices=("double", "float"),
        default="double",
        help="type of numbers in C and CUDA (default: double); C++ supports all",
    )
    add_quiet_option(parser)
    parser.add_argument(
        "--depfile",
        metavar="FILE",
        help="write the files that the output depends on, for make and ninja",
    )
    parser.add_argument(
        "--stamp", metavar="FILE", help="touch this file after everything is written"
    )


def parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """The options in a command's words; those that do not go together end it with a message."""
    options = parser.parse_args(words)
    if options.scalar == "float" and not {"c", "cuda"} & set(options.target or []):
        parser.error("--scalar float is for --target c or cuda; C++ takes any scalar")
    return options


def _folder(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("expected a folder, found ''")
    return text


def _identifier(text: str) -> str:
    if not _IDENTIFIER.match(text):
        raise argparse.ArgumentTypeError(
            f"'{text}' cannot be a C++ namespace: expected letters, digits and _, a letter first"
        )
    return text

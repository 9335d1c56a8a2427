"""Code of coordinate transforms, for the command generate."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import TRANSFORM_BACKENDS
from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import run
from robcogen_ros.cli.files.generated import write_generated
from robcogen_ros.cli.options.model import warn
from robcogen_ros.cli.options.output import add_output_options, parsed
from robcogen_ros.cli.options.pair import add_pair_options, chosen_pairs
from robcogen_ros.formats import source
from robcogen_ros.formats.transforms import motions_or_transforms
from robcogen_ros.program.frame_transforms import KINDS, TransformPrograms
from robcogen_ros.transforms.convert import transforms
from robcogen_ros.transforms.document import Document, Transforms


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns the exit code."""
    return run(_generate, parsed(_parser(), argv))


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "generate",
        "Generate the code of coordinate transforms.",
        "frames.motdsl -o generated",
    )
    parser.add_argument("model", metavar="MODEL", help=".motdsl or .ctdsl file")
    add_pair_options(parser)
    parser.add_argument(
        "--kind",
        action="append",
        choices=list(KINDS),
        help="kind of transform (repeatable; default: all)",
    )
    add_output_options(parser, TRANSFORM_BACKENDS, name="transforms")
    return parser


def _generate(options: argparse.Namespace) -> int:
    text = source.read(options.model)
    document = motions_or_transforms.parse(text)
    warn(document.warnings)
    wanted = _wanted(options, document)
    programs = TransformPrograms(wanted, options.kind or tuple(KINDS))
    target = Target(options.project, options.name, Path(options.model).name, options.scalar)
    files = {
        path: content
        for name in options.target or ["cpp"]
        for path, content in TRANSFORM_BACKENDS[name](programs, target).items()
    }
    needed = [*text.files, *([str(Path(options.desired).resolve())] if options.desired else [])]
    write_generated(options, files, needed)
    return OK


def _wanted(options: argparse.Namespace, document: Document) -> Transforms:
    """The transforms of a document that has them, or those that follow from it."""
    pairs = chosen_pairs(options, document)
    if pairs is None and isinstance(document, Transforms):
        return document
    return transforms(document, pairs)

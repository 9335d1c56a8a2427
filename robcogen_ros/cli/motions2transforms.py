"""The command motions2transforms: from the poses of frames to the transforms between them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import run
from robcogen_ros.cli.files.writing import write
from robcogen_ros.cli.options.model import add_model_options, read_model, warn
from robcogen_ros.cli.options.pair import add_pair_options, chosen_pairs
from robcogen_ros.formats import source
from robcogen_ros.formats.transforms import ctdsl_writer, motdsl_writer, motions_or_transforms
from robcogen_ros.transforms.convert import transforms
from robcogen_ros.transforms.document import Document, Motions
from robcogen_ros.transforms.of_robot import motions


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns the exit code."""
    return run(_convert, _parser().parse_args(argv))


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "motions2transforms",
        "Write the transforms between frames, from the motions between them. Of a "
        "robot, the motions are those that place its frames.",
        "frames.motdsl -o frames.ctdsl",
    )
    add_model_options(parser)
    add_pair_options(parser)
    parser.add_argument(
        "--moved",
        choices=("right", "left"),
        default="right",
        help="where the moved frame stands in each primitive transform (default: right)",
    )
    parser.add_argument(
        "--keyword",
        choices=ctdsl_writer.KEYWORDS,
        default=ctdsl_writer.KEYWORDS[0],
        help="word for that: the paper's (default), or that of RobCoGen 0.5",
    )
    parser.add_argument("--motions", metavar="FILE", help="write the motions too (.motdsl)")
    parser.add_argument("-o", "--output", default="-", help="file to write (default: stdout)")
    return parser


def _convert(options: argparse.Namespace) -> int:
    document = _document(options)
    pairs = chosen_pairs(options, document)
    text = ctdsl_writer.write(transforms(document, pairs, options.moved), options.keyword)
    if options.motions and isinstance(document, Motions):
        keep = [options.model, options.output]
        write(options.motions, motdsl_writer.write(document), keep, ending=".motdsl")
    write(options.output, text, [options.model], ending=".ctdsl")
    return OK


def _document(options: argparse.Namespace) -> Document:
    """The motions of a file; those of a robot if the file describes one."""
    if options.format is None and _says_relations(options.model):
        document = motions_or_transforms.parse(source.read(options.model))
        warn(document.warnings)
        return document
    reading = read_model(options)
    warn(reading.warnings)
    reading.description.refuse_closures("a document of motions")
    return motions(reading.robot)


def _says_relations(path: str) -> bool:
    return path == source.STDIN or motions_or_transforms.is_relations_file(path)

"""The options by which commands choose pairs of frames."""

from __future__ import annotations

import argparse

from robcogen_ros.cli.options.desired import add_desired_options, read_desired
from robcogen_ros.cli.options.model import warn
from robcogen_ros.errors import ModelError, Problem, RobcogenError
from robcogen_ros.transforms.convert import Pair, star_pairs
from robcogen_ros.transforms.desired import Desired
from robcogen_ros.transforms.document import Document
from robcogen_ros.transforms.network import Network


def add_pair_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options that say which transforms are wanted; all, without any of them."""
    parser.add_argument(
        "--pair",
        action="append",
        default=[],
        nargs=2,
        metavar=("LEFT", "RIGHT"),
        help="the transform LEFT_X_RIGHT (repeatable; default: every pair of frames)",
    )
    add_desired_options(parser)
    parser.add_argument(
        "--base",
        metavar="FRAME",
        help="instead: each motion both ways, and FRAME to and from every other frame",
    )


def chosen_pairs(options: argparse.Namespace, document: Document) -> list[Pair] | None:
    """The pairs that the options name; None for all.

    Raises:
        RobcogenError: If they name what the document has not.
    """
    if not (options.pair or options.desired or options.base):
        return None
    network = Network(document)
    pairs = [_check_pair(network, left, right) for left, right in options.pair]
    if options.base:
        pairs += star_pairs(network, network.frame(options.base))
    desired = read_desired(options)
    if desired is not None:
        pairs += _desired(desired, network)
    return pairs


def _desired(desired: Desired, network: Network) -> list[Pair]:
    warn(desired.warnings)
    pairs, problems = [], []
    for pair in desired.transforms:
        try:
            pairs.append(_check_pair(network, pair.left, pair.right))
        except RobcogenError as error:
            severity = "warning" if desired.tolerant else "error"
            problems.append(Problem(str(error), pair.location, severity))
    if problems and not desired.tolerant:
        raise ModelError(problems)
    warn(problems)
    return pairs


def _check_pair(network: Network, left: str, right: str) -> Pair:
    pair = network.frame(left), network.frame(right)
    network.sequence(*pair)
    return pair

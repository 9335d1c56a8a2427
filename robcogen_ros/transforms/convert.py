"""Conversion of motions to transforms: for two frames, the product of primitive transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from robcogen_ros.errors import RobcogenError
from robcogen_ros.transforms.document import Document, Relation, Transforms
from robcogen_ros.transforms.network import Network
from robcogen_ros.transforms.steps import Steps

_MOST_PAIRS = 50_000

Pair = tuple[str, str]
"""Left and right frame of a transform."""


def transforms(
    document: Document,
    pairs: Sequence[Pair] | None = None,
    moved: Literal["right", "left"] = "right",
) -> Transforms:
    """The transforms between pairs of frames, as a document of the Transforms-DSL.

    Args:
        document: Motions, or transforms from which others follow.
        pairs: The pairs; by default all, as `all_pairs` orders them.
        moved: Where the moved frame stands in each primitive transform.

    Raises:
        RobcogenError: If there is no such frame, or nothing relates two frames.
    """
    network = Network(document)
    wanted = (
        all_pairs(network) if pairs is None else [_check_frames(network, pair) for pair in pairs]
    )
    names = {(r.left, r.right): r.name for r in document.relations if r.name}
    relations = tuple(
        Relation(
            left,
            right,
            _written(network.sequence(left, right), moved),
            names.get((left, right), ""),
        )
        for left, right in dict.fromkeys(wanted)
    )
    return Transforms(document.name, document.frames, relations, moved, document.groups)


def all_pairs(network: Network) -> list[Pair]:
    """All pairs of frames that relate: those given, the same backwards, then the others.

    Raises:
        RobcogenError: If they are too many for anyone to want.
    """
    count = sum(len(island) * (len(island) - 1) for island in network.islands())
    if count > _MOST_PAIRS:
        raise RobcogenError(f"there are {count} pairs of frames; name those that are wanted")
    given = [(r.left, r.right) for r in network.document.relations]
    frames = network.document.frames
    others = [
        (later, earlier)
        for k, later in enumerate(frames)
        for earlier in frames[:k]
        if network.connected(later, earlier)
    ]
    others += [(earlier, later) for later, earlier in others]
    return list(dict.fromkeys([*given, *((b, a) for a, b in given), *others]))


def star_pairs(network: Network, center: str) -> list[Pair]:
    """The pairs of the relations both ways, then one frame to and from every other."""
    given = [(r.left, r.right) for r in network.document.relations]
    others = [f for f in network.document.frames if f != center and network.connected(center, f)]
    inwards, outwards = [(center, f) for f in others], [(f, center) for f in others]
    return list(dict.fromkeys([*given, *((b, a) for a, b in given), *inwards, *outwards]))


def _check_frames(network: Network, pair: Pair) -> Pair:
    return network.frame(pair[0]), network.frame(pair[1])


def _written(steps: Steps, moved: str) -> Steps:
    """Factors that map from the moved frame, written for where the moved frame stands."""
    return steps if moved == "right" else tuple(step.inverse() for step in steps)

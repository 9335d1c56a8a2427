"""The joints of a tree, two at a time."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

Pair = tuple[int, int]

NONE = -1
"""In the place of a joint: there is none."""


def joint_pairs(carriers: Sequence[int]) -> list[Pair]:
    """All joints from the outermost on in pairs, none before those that it carries.

    The joints furthest from the base come first, so that the longest chain is never waited for. A
    joint that follows one of the pair before has the same place in its pair.

    Args:
        carriers: The joint that carries each; -1 for the base.

    Returns:
        Pairs of joints; the second is -1 where there is none.
    """
    depths: list[int] = []
    waiting = [0] * len(carriers)
    for carrier in carriers:
        depths.append(1 if carrier < 0 else depths[carrier] + 1)
        if carrier >= 0:
            waiting[carrier] += 1
    ready = [(-depth, joint) for joint, depth in enumerate(depths) if not waiting[joint]]
    heapq.heapify(ready)
    pairs: list[Pair] = []
    while ready:
        first = heapq.heappop(ready)[1]
        second = heapq.heappop(ready)[1] if ready else NONE
        pairs.append(_placed((first, second), pairs[-1] if pairs else (NONE, NONE), carriers))
        for joint in (first, second):
            carrier = carriers[joint] if joint >= 0 else NONE
            if carrier >= 0:
                waiting[carrier] -= 1
                if not waiting[carrier]:
                    heapq.heappush(ready, (-depths[carrier], carrier))
    return pairs


def _placed(pair: Pair, before: Pair, carriers: Sequence[int]) -> Pair:
    """The order of a pair in which more joints carry the one that was in the same place before."""

    def follow(order: Pair) -> int:
        places = zip(before, order, strict=True)
        return sum(last >= 0 and carriers[last] == joint for last, joint in places)

    first, second = pair
    return pair if second < 0 else max(pair, (second, first), key=follow)

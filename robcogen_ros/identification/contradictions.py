"""Recordings and a description are compared; each contradiction is told in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.delay import delay
from robcogen_ros.identification.exchanged import Columns, Predict, better_columns, better_fit
from robcogen_ros.identification.physical import Physical
from robcogen_ros.identification.sample import Sample
from robcogen_ros.runtime.identified import Identification, Identified

Array = NDArray[np.float64]

_OTHER_SCALE, _SURE, _REACTION = 3.0, 0.9, -0.5
"""Times by which efforts may differ from those of the description, and the correlations from which
on that is sure, and below which another sign is told."""
_UNEXPLAINED = 0.5
"""Part of the squares of efforts that no recording of the robot leaves."""
_DELAYED, _SURELY = 1e-3, 4.0
"""Delay of efforts that is told [s], and the standard errors that it must be beyond."""
_IMPOSSIBLE, _USELESS = 5.0, 2.0
"""Standard errors from the nearest real bodies that are told, and times what is left by what was
identified, which these bodies leave, that make them useless."""
_WORSE = 1.1
_BETTER, _SURELY_BETTER = 1.0, 3.0
"""Standard errors by which exchanged columns fit better that are told, and that are sure."""


def stopped(identification: Identification) -> list[str]:
    """Returns how many efforts are left out at end stops."""
    count = identification.stopped
    return [
        f"{count} efforts are left out: their joints are at position limits, where end stops may "
        "bear a part of them"
    ] * bool(count)


def efforts(
    names: Sequence[str], identification: Identification, described: Array
) -> tuple[list[str], list[str]]:
    """Returns whose efforts have another sign than the description's, if sure, and oddities.

    Of a recorder that tells reactions of some joints surely, it is sure of the others, too.
    """
    sure: list[str] = []
    odd: list[str] = []
    slopes, correlations = identification.agreement(described)
    reactions = sure if min(correlations, default=0.0) < -_SURE else odd
    for name, slope, correlation in zip(names, slopes, correlations, strict=True):
        text = (
            f"efforts of {name} are {slope:.3g} times those of the description (correlation "
            f"{correlation:.2f})"
        )
        if correlation < _REACTION:
            reactions.append(f"{text}: reactions? --torque-constant {name}=-1")
        elif correlation > _SURE and not 1 / _OTHER_SCALE < slope < _OTHER_SCALE:
            odd.append(f"{text}: in another unit? --torque-constant {name}=K")
    return sure, odd


def columns(names: Sequence[str], sample: Sample, predict: Predict) -> list[str]:
    """Returns which columns of recordings are those of other joints, or that none of them fit.

    Args:
        names: Of the joints.
        sample: Measured states.
        predict: Forces by the description, of (m, n) positions, velocities, accelerations.
    """
    if not sample:
        return []
    recorded, better = better_columns(sample, predict)
    if changes := _changes(names, better):
        before, after = (np.exp(each.cost / len(names)) for each in (recorded, better))
        return [
            f"the description leaves {before:.0%} of the squares of efforts over as they are "
            f"recorded, and {after:.1%} if {', '.join(changes)} (geometric means over joints)"
        ]
    return [
        f"the description leaves {better.whole:.0%} of the squares of efforts over, whatever "
        "friction and offsets joints have: a recording of another robot, or in other units?"
    ] * (better.whole > _UNEXPLAINED)


def exchanged(
    names: Sequence[str], sample: Sample, found: Identified
) -> tuple[list[str], list[str]]:
    """Returns which two joints' columns are surely those of each other, or else perhaps."""
    if not sample or len(names) < 2:
        return [], []
    pair, sure = better_fit(sample, found)
    here, there = (names[k] for k in pair)
    told = [
        f"with columns of {here} and {there} exchanged, whatever masses are, forces fit better by "
        f"{sure:.1f} standard errors (--rename {here}={there} --rename {there}={here})"
    ]
    return told * (sure > _SURELY_BETTER), told * (_BETTER < sure <= _SURELY_BETTER)


def _changes(names: Sequence[str], columns: Columns) -> list[str]:
    """Returns how columns have to change; nothing where only efforts are reactions."""
    moved = [(names[k], names[j]) for k, j in enumerate(columns.order) if k != j]
    turned = [k for k, sign in enumerate(columns.motion) if sign < 0]
    told = [f"columns of {there} are those of {here}" for here, there in moved]
    if moved:
        told[-1] += f" ({' '.join(f'--rename {there}={here}' for here, there in moved)})"
    told += [f"positions of {names[k]} have the other sign" for k in turned]
    return told + [
        f"efforts of {name} have the other sign (--torque-constant {name}=-1)"
        for name, sign in zip(names, columns.effort, strict=True)
        if sign < 0 and told
    ]


def late(sample: Sample, found: Identified) -> list[str]:
    """Returns how late efforts are, where that is sure."""
    by, error = delay(sample, found) if sample else (0.0, np.inf)
    words = "later" if by > 0 else "earlier"
    return [
        f"efforts are {1e3 * abs(by):.1f} +- {1e3 * error:.1f} ms {words} than positions, so "
        f"damping and inertia are wrong: --delay {by:.4f}"
    ] * bool(abs(by) > max(_DELAYED, _SURELY * error))


def impossible(found: Identified, bodies: Physical) -> list[str]:
    """Returns how far the identified parameters are from those of any real robot."""
    worst = int(np.argmax(np.abs(bodies.deviations)))
    far = abs(bodies.deviations[worst])
    return [
        f"no real bodies near the description have these base parameters: the nearest are {far:.1f}"
        f" standard errors away in {found.base.described[worst]}"
    ] * bool(far > _IMPOSSIBLE)


def worse(names: Sequence[str], left: Array) -> list[str]:
    """Returns the joints whose efforts real bodies predict worse than the description does.

    Args:
        names: Of the joints.
        left: (n, 3) what the description, the base parameters and real bodies leave.
    """
    return [
        f"efforts of {name} are predicted worse by real bodies ({real:.3g} left) than by the "
        f"description ({described:.3g}): what moves it is not what the model says"
        for name, (described, _, real) in zip(names, left.tolist(), strict=True)
        if real > _WORSE * described
    ]


def useless(names: Sequence[str], left: Array, bodies: Physical) -> list[str]:
    """Returns why real bodies say nothing of what was measured, if they do not.

    Args:
        names: Of the joints.
        left: (n, 3) what the description, the base parameters and real bodies leave.
        bodies: The real bodies.
    """
    times = left[:, 2] / np.maximum(left[:, 1], np.finfo(float).tiny)
    k, far = int(np.argmax(times)), np.abs(bodies.deviations).max()
    return [
        f"real bodies leave {times[k]:.1f} times as much of the efforts of {names[k]} as what was "
        f"identified, and are {far:.1f} standard errors from it: no robot has such efforts"
    ] * bool(times[k] > _USELESS and far > _IMPOSSIBLE)

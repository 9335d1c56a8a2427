"""Footfall patterns: which feet stand when.

A gait is a duty factor, the share of a stride in which a foot is on the ground, and a phase a foot,
the share of a stride by which it lands after the first one (R. M. Alexander, *The gaits of bipedal
and quadrupedal animals*, Int. J. Robotics Research 3(2), 1984).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from robcogen_ros.errors import RobcogenError

QUADRUPED = {
    "walk": (0.75, (0.0, 0.5, 0.75, 0.25)),
    "trot": (0.5, (0.0, 0.5, 0.5, 0.0)),
    "pace": (0.5, (0.0, 0.5, 0.0, 0.5)),
    "bound": (0.4, (0.0, 0.0, 0.5, 0.5)),
    "rack": (0.5, (0.0, 0.5, 0.75, 0.25)),
    "canter": (0.35, (0.0, 0.3, 0.7, 0.0)),
    "transverse_gallop": (0.3, (0.0, 0.1, 0.5, 0.6)),
    "rotary_gallop": (0.3, (0.0, 0.1, 0.6, 0.5)),
}
"""Duty factors and phases of left fore, right fore, left hind, right hind.

The last three are asymmetrical: the second foot of a pair leads it (M. Hildebrand, *Analysis of
asymmetrical gaits*, J. Mammalogy 58(2), 1977). The right forefoot leads; in a transverse gallop the
hind foot of its side does too, in a rotary one the other. A canter has three beats, the second by a
diagonal pair.
"""
BIPED = {"walk": (0.6, (0.0, 0.5)), "run": (0.35, (0.0, 0.5))}
"""Duty factors and phases of left and right."""
_KNOWN: Mapping[int, Mapping[str, tuple[float, tuple[float, ...]]]] = {2: BIPED, 4: QUADRUPED}
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a stride in which the same feet stand.

    Attributes:
        standing: Numbers of the feet that stand.
        landing: Numbers of the feet that land where it begins.
        begin: Where it begins, as a share of the stride.
        end: Where it ends.
    """

    standing: tuple[int, ...]
    landing: tuple[int, ...]
    begin: float
    end: float

    @property
    def share(self) -> float:
        """The phase's share of the stride."""
        return self.end - self.begin

    @property
    def middle(self) -> float:
        """The phase's middle, as a share of the stride."""
        return 0.5 * (self.begin + self.end)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A footfall pattern.

    Attributes:
        duty: Share of a stride in which a foot stands, one a foot.
        phase: Share of a stride after which it lands, one a foot.
    """

    duty: tuple[float, ...]
    phase: tuple[float, ...]

    def phases(self) -> tuple[Phase, ...]:
        """The phases of a stride, the first one where the first foot lands."""
        events = sorted({round(at % 1.0, 9) % 1.0 for at in (*self.phase, *self._lifts())} | {0.0})
        ends, found = [*events[1:], 1.0], []
        for begin, end in zip(events, ends, strict=True):
            standing = self._standing(0.5 * (begin + end))
            landing = tuple(foot for foot in standing if _apart(self.phase[foot], begin) < _SAME)
            before = self._standing((begin - _SAME * 10) % 1.0)
            if standing != before or landing:
                found.append(Phase(standing, landing, begin, end))
            elif found:
                last = found.pop()
                found.append(Phase(last.standing, last.landing, last.begin, end))
            else:
                found.append(Phase(standing, landing, begin, end))
        return tuple(found)

    def half(self, mirrored: Sequence[int]) -> bool:
        """Returns True if the second half of a stride is the first one with feet exchanged."""
        return all(
            _apart(self.phase[foot] + 0.5, self.phase[other]) < _SAME
            and abs(self.duty[foot] - self.duty[other]) < _SAME
            for foot, other in enumerate(mirrored)
        )

    def swing(self, foot: int, at: float) -> float | None:
        """Returns how much of its swing a foot has behind it, 0 to 1; None while it stands."""
        since = (at - self.phase[foot]) % 1.0
        if since < self.duty[foot] or self.duty[foot] >= 1.0:
            return None
        return (since - self.duty[foot]) / (1.0 - self.duty[foot])

    def _lifts(self) -> list[float]:
        pairs = zip(self.phase, self.duty, strict=True)
        return [phase + duty for phase, duty in pairs if duty < 1.0]

    def _standing(self, at: float) -> tuple[int, ...]:
        return tuple(f for f in range(len(self.phase)) if self.swing(f, at) is None)


def pattern_by_name(gait: str, feet: Sequence[str], places: Sequence[Sequence[float]]) -> Pattern:
    """The pattern of a name.

    Args:
        gait: Its name.
        feet: Names of the feet.
        places: Where they are in the base, x forwards, y to the left [m].

    Raises:
        RobcogenError: If no gait of as many feet has that name.
    """
    known = _KNOWN.get(len(feet), {})
    if gait not in known:
        of = ", ".join(known) or "none is"
        raise RobcogenError(
            f"'{gait}' of {len(feet)} feet is not known; known of them: {of}; "
            "or give `duty` and `phases`"
        )
    duty, phases = known[gait]
    ordered = _fore_left_first(places)
    phase = dict(zip(ordered, phases, strict=True))
    return Pattern((duty,) * len(feet), tuple(phase[foot] for foot in range(len(feet))))


def _fore_left_first(places: Sequence[Sequence[float]]) -> list[int]:
    """Numbers of feet: fore before hind, left before right."""
    feet = list(range(len(places)))
    if len(feet) == 4:
        fore = sorted(feet, key=lambda foot: -places[foot][0])[:2]
        return sorted(feet, key=lambda foot: (foot not in fore, -places[foot][1]))
    return sorted(feet, key=lambda foot: -places[foot][1])


def _apart(one: float, other: float) -> float:
    """Returns the distance of two shares of a stride, on the circle."""
    return abs((one - other + 0.5) % 1.0 - 0.5)

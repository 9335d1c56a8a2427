"""All that `robcogen identify` finds."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.carriers import Carriers
from robcogen_ros.identification.physical import Physical
from robcogen_ros.model.robot import Robot
from robcogen_ros.runtime.identified import Identified

Array = NDArray[np.float64]


@dataclass
class Result:
    """Result of an identification.

    Attributes:
        robot: The robot.
        found: Base parameters.
        described: Those of the description, with its joint terms.
        held: (n, 3) root mean square of the held-out efforts: of what is left by the description,
            by what was identified, by the real bodies nearest to it; None if nothing is held out.
        carriers: Which bodies of the file carry what was found.
        bodies: These, as real bodies; None if that needs a package that is missing.
        notes: What was odd.
        doubts: Why no description follows from it.
    """

    robot: Robot
    found: Identified
    described: Array
    held: Array | None
    carriers: Carriers
    bodies: Physical | None = None
    notes: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def joint_terms(self) -> dict[str, dict[str, tuple[float, float]]]:
        """Returns value and standard error (NaN: unknown) of what was found, by term and joint."""
        assert self.bodies is not None
        base, joints = self.found.base, self.robot.joint_names
        told = dict(zip(base.names, np.any(base.grouping, axis=0).tolist(), strict=True))
        return {
            term: {
                joint: (float(value), float(error))
                for joint, value, error in zip(
                    joints, values, self.bodies.joint_errors(term), strict=True
                )
                if told[f"{joint}.{'preload' if term == 'rest' else term}"]
            }
            for term, values in self.bodies.joints.items()
        }

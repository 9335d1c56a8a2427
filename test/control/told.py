"""A robot in the loop in C++ that is told where it is."""

from __future__ import annotations

import numpy as np

import robcogen_ros
from robcogen_ros.backends.cpp.objects import WHOLE_BODY_LOOP
from robcogen_ros.control.balance import at_rest
from robcogen_ros.runtime.objects import object_of
from robcogen_ros.standing.footing import find_footing
from test.control.balance_loop import UPRIGHT
from test.support.examples import example_path

PLACE = np.array([0.0, 0.0, 0.5])
STANDING = at_rest(PLACE, UPRIGHT)


class Told:
    """A robot in the loop, which is told that it stands still, and what is measured besides."""

    def __init__(self, file=None, build=(), **settings):
        file, options = file or example_path("quadruped"), dict(build)
        self.robot = robcogen_ros.build(
            file,
            floating_base=True,
            contacts=find_footing(file, loops=options.get("loops")).names,
            backend="numpy",
            functions=(*WHOLE_BODY_LOOP.needs, *options.pop("functions", ())),
            **options,
        )
        self.loop = object_of(self.robot, "whole_body_loop", settings)
        self.rest = np.zeros(self.robot.n)

    def cycle(self, place, orientation=UPRIGHT, velocity=0.0, silent=(), step=0.002, **told):
        """A cycle; feet 0 to 3 bear 50 N each but for those that are silent.

        A motion of the trunk, and of feet, is what it is told to follow from now on.
        """
        if "trunk" in told:
            self.follow(0.0, told.pop("trunk"), told.pop("feet", None))
        forces = np.tile([0.0, 0.0, 50.0], (4, 1))
        forces[list(silent)] = np.nan
        return self.loop.call(
            "update",
            **{
                **{"step": step, "q": self.rest, "qd": self.rest, "forces": forces},
                **{"position": place, "orientation": orientation},
                "base_velocity": [0.0, 0.0, 0.0, velocity, 0.0, 0.0],
                **told,
            },
        )

    def follow(self, time, trunk, feet=None):
        """A point of a plan; feet that are not told stand."""
        feet = np.full((4, 19), np.nan) if feet is None else feet
        self.loop.call("follow", time=time, trunk=trunk, feet=feet)

"""HyQ under whole-body control."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("pinocchio")

from robcogen_ros.runtime.whole_body import Command, Motion, WholeBodyController
from test.support.hyq import FEET, HYQ, hyq
from test.support.pinocchio_oracle import PinocchioOracle
from test.support.robots import robot_path

Array = NDArray[np.float64]
STANDING = np.array([-0.2, 0.75, -1.5, -0.2, 0.75, -1.5, -0.2, -0.75, 1.5, -0.2, -0.75, 1.5])


@dataclass
class Stand:
    """A robot that stands, its oracle, and the arguments of a call of its controller."""

    robot: Any
    oracle: PinocchioOracle
    state: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """At rest, in its standing posture."""
        self.state = {
            "q": STANDING.copy(),
            "position": np.zeros(3),
            "orientation": np.array([0.0, 0.0, 0.0, 1.0]),
            "base_velocity": np.zeros(6),
            "qd": np.zeros(12),
            "trunk": Motion(),
            "posture": STANDING,
        }

    def controller(self, **settings: Any) -> WholeBodyController:
        """A new controller of the robot."""
        made: WholeBodyController = self.robot.whole_body_controller(**settings)
        return made

    def command(self, controller: WholeBodyController | None = None, **other: Any) -> Command:
        """What a controller answers here, some arguments being others."""
        return (controller or self.controller()).compute(**{**self.state, **other})

    def disturb(self, random: np.random.Generator) -> None:
        """Turns, moves and bends the robot a little, so that it is on its way somewhere."""
        turn = np.append(random.uniform(-0.1, 0.1, 3), 1.0)
        self.state["orientation"] = turn / np.linalg.norm(turn)
        self.state["q"] = STANDING + random.uniform(-0.2, 0.2, 12)
        self.state["qd"] = random.normal(size=12)
        self.state["base_velocity"] = 0.5 * random.normal(size=6)
        self.state["position"] = random.uniform(-0.05, 0.05, 3)

    @property
    def world_axes(self) -> Array:
        """Rotation from base to world axes."""
        x, y, z, w = self.state["orientation"]
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    def world_forces(self, command: Command) -> Array:
        """(4, 3) forces of the feet in world axes."""
        forces: Array = command.forces.reshape(4, 3) @ self.world_axes.T
        return forces

    def contact_jacobian(self, q: Array) -> Array:
        """Pinocchio's rows of the feet."""
        rows = [self.oracle.full_jacobian(foot, q)[3:] for foot in FEET]
        stacked: Array = np.vstack(rows)
        return stacked


@pytest.fixture(scope="session")
def made() -> tuple[Any, PinocchioOracle]:
    """The robot and its oracle."""
    return hyq(), PinocchioOracle(robot_path(HYQ), floating=True)


@pytest.fixture
def stand(made: tuple[Any, PinocchioOracle]) -> Stand:
    """The robot, standing."""
    return Stand(*made)


@pytest.fixture(params=range(5))
def moving(made: tuple[Any, PinocchioOracle], request: pytest.FixtureRequest) -> Stand:
    """The robot on its way somewhere."""
    stand = Stand(*made)
    stand.disturb(np.random.default_rng(request.param))
    return stand

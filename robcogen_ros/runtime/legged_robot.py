"""Objects of a robot on legs: the ground that it stands on, its controller, its gait."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.model.robot import STANDARD_GRAVITY
from robcogen_ros.parameters.table import table
from robcogen_ros.runtime.base_estimator import BaseEstimator, frame_number
from robcogen_ros.runtime.evaluators.evaluator import Evaluator
from robcogen_ros.runtime.gait import Gait
from robcogen_ros.runtime.ground import Ground
from robcogen_ros.runtime.parameters import Parameters
from robcogen_ros.runtime.whole_body import WholeBodyController


class LeggedRobot:
    """A robot with contacts on a floating base, compiled with such objects."""

    _evaluator: Evaluator
    parameters: Parameters

    def ground(
        self,
        *,
        plane_point: ArrayLike | None = None,
        plane_normal: ArrayLike | None = None,
        friction: float = 0.6,
        restitution: float = 0.0,
        gravity: ArrayLike = STANDARD_GRAVITY,
        radii: Mapping[str, float] | None = None,
        soles: Mapping[str, ArrayLike] | None = None,
        damping: ArrayLike | None = None,
        joint_friction: ArrayLike | None = None,
        stops: bool = True,
        imu_frame: str = "",
        **sensors: ArrayLike | None,
    ) -> Ground:
        """The robot on a simulated plane, hard and rough; of a robot built with `ground=True`.

        Args:
            plane_point: (3,) a point of the plane in the world, by default its origin.
            plane_normal: (3,) upwards, by default z.
            friction: Coefficient of Coulomb friction.
            restitution: Impulses of restitution per impulses of compression, 0 to 1.
            gravity: (3,) in the world [m/s^2].
            radii: Of feet, by contact: a point is so far above the plane where it touches; a pose
                is a ball of that radius, which rolls [m].
            soles: Of contacts that are poses: (4, 3) corners of the flat sole in the foot's frame,
                along its border [m].
            damping: (n,) viscous friction of the joints, by default the model's.
            joint_friction: (n,) dry friction, by default the model's.
            stops: Whether joints stop at their position limits.
            imu_frame: Frame of the base link that an IMU measures in, by default the base's.
            **sensors: Noise and delays of IMU and feet by name, from `imu_rate` to `sensor_seed`,
                as docs/simulated_robot.md lists them; None for the default.

        Raises:
            RobcogenError: If the robot was built without a ground, or there is no such frame.
            TypeError: If there is no such setting.
            ValueError: If a setting has another shape, or names no contact.
        """
        return Ground(
            self._evaluator,
            {"radii": radii, "soles": soles},
            {
                "plane_point": plane_point,
                "plane_normal": plane_normal,
                "friction": friction,
                "restitution": restitution,
                "gravity": gravity,
                "damping": damping,
                "joint_friction": joint_friction,
                "stops": stops,
                "imu_frame": frame_number(self, imu_frame),
                **sensors,
                "parameters": self.parameters.array(),
            },
        )

    def whole_body_controller(
        self, *, soles: Mapping[str, ArrayLike] | None = None, **settings: ArrayLike | None
    ) -> WholeBodyController:
        """A controller of trunk and feet; of a robot built with `whole_body=True`.

        Args:
            soles: Of each contact that is a pose: (4, 3) corners of a rectangle within the flat
                sole, in the foot's frame, in any order [m].
            **settings: Gains, weights and limits by name, as docs/legged_controller.md lists
                them; None for the default.

        Raises:
            RobcogenError: If the robot was built without one, a setting is out of its range, or a
                contact that is a pose has no sole.
            TypeError: If there is no such setting.
            ValueError: If a setting has another shape, or names no contact.
        """
        for parameter in table("whole_body_controller"):
            for old in settings.keys() & set(parameter.instead_of):
                raise TypeError(f"{old}: use {parameter.name} instead")
        given = {"parameters": self.parameters.array(), **settings}
        for name in ("effort_limits", "joint_damping"):  # one for all joints, or none
            if (value := given.get(name)) is not None and np.size(value) < 2:
                joints = len(self._evaluator.summary.coordinates)
                given[name] = np.full(joints, value) if np.size(value) else None
        return WholeBodyController(self._evaluator, soles, given)

    def base_estimator(
        self,
        *,
        imu_frame: str = "",
        soles: Mapping[str, ArrayLike] | None = None,
        **settings: ArrayLike | None,
    ) -> BaseEstimator:
        """An estimator of the base; of a robot with `kinematics` and `contact_jacobian`.

        Args:
            imu_frame: Frame of the base link that the IMU measures in, by default the base's.
            soles: (4, 3) corners of flat feet in their frames [m], by contact.
            **settings: Of the noise and more by name, as docs/state_estimation.md lists them; None
                for the default.

        Raises:
            RobcogenError: If the robot lacks a function, there is no such frame, or a setting is
                out of its range.
            TypeError: If there is no such setting.
            ValueError: If a setting has another shape.
        """
        given = {"parameters": self.parameters.array(), **settings}
        return BaseEstimator(self, imu_frame, soles, given)

    def gait(
        self,
        *,
        posture: ArrayLike,
        name: str | None = None,
        phases: Mapping[str, float] | None = None,
        soles: Mapping[str, ArrayLike] | None = None,
        **settings: ArrayLike | None,
    ) -> Gait:
        """Returns the gait of a robot built with `whole_body=True`: how it stands and steps.

        Args:
            posture: (n,) in which it stands, its base level.
            name: `trot` of four feet that are points, `walk` of these or of two feet: what is not
                given is as the height of the robot has it.
            phases: Of each contact: share of the period at which it touches down.
            soles: (4, 3) corners of flat feet in their frames [m], by contact.
            **settings: `period` [s], `duty` (share of it in which a foot stands) and more by name,
                as docs/whole_body.md lists them; None for the usual value.

        Raises:
            RobcogenError: If the robot was built without one, or has other feet.
            Fault: If a setting is out of its range.
            TypeError: If there is no such setting.
            ValueError: If a setting has another shape, or `phases` are not those of the contacts.
        """
        given = {"parameters": self.parameters.array(), **settings}
        return Gait(self._evaluator, name, phases, soles, {**given, "posture": posture})

"""Settings of the gait that is sought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from robcogen_ros.errors import Location, ModelError


@dataclass(frozen=True, slots=True)
class Specification:
    """Settings of the gait that is sought; lengths in meters, times in seconds.

    Attributes:
        gait: Name of a footfall pattern, see `pattern`; without one `duty` and `phases` tell.
        duty: Share of a stride in which feet stand.
        phases: Share of a stride after which each foot lands, by foot.
        speed: Least and greatest mean velocity ahead [m/s].
        stride: Least and greatest duration of a stride.
        step_height: Least height of a foot in the middle of its swing.
        friction: Coefficient of the ground.
        merit: Weights of `energy` (integral of squared joint forces as shares of their limits, by
            distance) and of `time` (by distance).
        intervals: Of the first grid, in a stride.
        accuracy: Error that each interval may have, in units of the robot's height, radians, and
            the time of a fall from that height.
        refinements: How often the grid is refined at most.
        dynamics: `full`, of all coordinates, or `reduced`, of those that feet on the ground leave.
        symmetric: Whether half a stride is sought whose mirror image follows; None: where the robot
            is its own mirror image.
        lift_off: `zero`: the force of a foot vanishes where it lifts off; `free`: it need not.
        stability: `none`, or `static`: the center of mass stays above the feet that stand.
        height: Least and greatest height of the base, as shares of that in which the robot stands.
        tilt: Greatest roll, pitch and yaw of the base [rad].
        position: Share of the ranges of the joint positions, about their middles.
        effort: Share of the limits of the joint forces.
        velocity: Share of the limits of the joint velocities.
        no_load_speed: Velocity of joints at which their motors have no torque left [rad/s].
        reach: Greatest distance of feet from hips, as a share of that of straight legs.
        clearance: Least distance between feet.
        ground_normal: Of the ground in a world whose z is up and whose x is ahead, of any length.
        stride_length: Least and greatest length of a stride.
        rise: Height by which a stride climbs on steps, along the normal of the ground.
        footholds: Where feet stand, by foot: x and y, and z on steps, in axes of the ground; one
            stride later they stand a stride further. Other feet stand where it is best.
        design: Parameters of the robot that are sought, with their least and greatest values;
            `*` in a name stands for any letters, and all that match have one value.
        lines: Where a file gives each setting, for messages.
    """

    gait: str = ""
    duty: float | None = None
    phases: Mapping[str, float] = field(default_factory=dict)
    speed: tuple[float, float] = (0.3, 0.3)
    stride: tuple[float, float] = (0.3, 1.5)
    step_height: float = 0.05
    friction: float = 0.6
    merit: Mapping[str, float] = field(default_factory=lambda: {"energy": 1.0})
    intervals: int = 16
    accuracy: float = 1e-3
    refinements: int = 5
    dynamics: str = "full"
    symmetric: bool | None = None
    lift_off: str = "zero"
    stability: str = "none"
    height: tuple[float, float] = (0.6, 1.1)
    tilt: float = 0.4
    position: float = 1.0
    effort: float = 1.0
    velocity: float = 1.0
    no_load_speed: float | None = None
    reach: float = 1.0
    clearance: float = 0.0
    ground_normal: tuple[float, ...] = (0.0, 0.0, 1.0)
    stride_length: tuple[float, float] | None = None
    rise: float = 0.0
    footholds: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    design: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    lines: Mapping[str, Location] = field(default_factory=dict, compare=False)

    def wrong(self, setting: str, message: str) -> ModelError:
        """An error about a setting, at its line where it comes from a file.

        Args:
            setting: Its name.
            message: What is wrong with it, and what is expected.
        """
        return ModelError.at(self.lines.get(setting), f"{setting}: {message}")

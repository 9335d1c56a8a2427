"""The controller in C++ as an object of the core library, with the methods of CppController."""

from __future__ import annotations

from robcogen_ros.control.dynamics import Array
from robcogen_ros.runtime.objects import object_of
from test.control.cpp_controller import CONDITIONS, PARTINGS, PERIOD, Law, Reply


class CoreController:
    """The controller of a robot that nobody compiled."""

    def __init__(
        self,
        robot: object,
        *,
        activation_time: float = 0.0,
        stale: int = 3,
        missed: int = 10,
        hold: bool = True,
        estimate: bool = False,
        failure: str = "hold_gravity",
        period: float = PERIOD,
    ) -> None:
        """Start; no torque ramp unless it is asked for."""
        behaviour = {
            "activation_time": activation_time,
            "max_stale_cycles": stale,
            "max_missed_cycles": missed,
            "hold_position_on_activation": hold,
            "estimate_velocity": estimate,
            "failure_effort": PARTINGS.index(failure),
            "period": period,
        }
        self._object = object_of(robot, "inverse_dynamics_controller", behaviour)
        self.set(Law())

    def set(self, law: Law) -> None:
        """Control in another way from now on."""
        self._object.call("set", **law.settings())

    def activate(self) -> None:
        """Begin anew."""
        self._object.call("activate")

    def law(self, q: Array, qd: Array, wanted: Array) -> Reply:
        """The control law alone, as a cycle after activation has it."""
        self.activate()
        return self.update(q, qd, wanted)

    def update(self, q: Array, qd: Array, wanted: Array, period: float = PERIOD) -> Reply:
        """One cycle."""
        given = {"position": q, "velocity": qd, "reference": wanted, "step": period}
        self._found = found = self._object.call("update", **given)
        condition = next((name for name in CONDITIONS[1:] if found[name]), CONDITIONS[0])
        scale, sound = float(found["scale"].item()), bool(found["sound"].item())
        return Reply(found["effort"].copy(), found["gravity"].copy(), scale, sound, condition)

    def parting(self, kind: str) -> Array:
        """Efforts to leave the robot with."""
        self._found = self._object.call("end", parting=PARTINGS.index(kind))
        return self._found["effort"].copy()

    def report(self) -> dict[str, Array | float]:
        """What it tells of itself."""
        found = self._found
        reference, moving, *_ = found["reference"].copy()
        return {
            "failed": bool(found["failed"].item()),
            "missed": int(found["missed_cycles"].item()),
            "share": float(found["share"].item()),
            "velocity": found["velocity"].copy(),
            "reference": reference,
            "moving": moving,
        }

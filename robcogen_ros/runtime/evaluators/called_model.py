"""A robot that Python computes as a `robcogen_model` of C, so that objects of the core take it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.program.summary import ArgumentSummary, FunctionSummary, Summary
from robcogen_ros.runtime.arguments import array_shape, size
from robcogen_ros.runtime.evaluators.compiled import (
    CArgument,
    CFunction,
    CModel,
    CTables,
    OfParameters,
)
from robcogen_ros.runtime.robots.robot_data import RobotData

Array = NDArray[np.float64]
_Numbers = ctypes.POINTER(ctypes.c_double)
_Rows = ctypes.POINTER(_Numbers)
_Call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, _Numbers, _Rows, _Rows)


class CalledModel:
    """Tables of a robot, and functions of C that call its evaluator; one thread at a time.

    Attributes:
        address: Where the `robcogen_model` is, as long as this is.
    """

    def __init__(self, evaluator: Any) -> None:
        """Fills the tables for an `robcogen_ros.runtime.evaluators.evaluator.Evaluator`."""
        self._kept: list[Any] = []
        self._evaluator, summary = evaluator, evaluator.summary
        joints, contacts = summary.joints, summary.contacts
        self._defaults = np.array(
            [np.nan if p.default is None else p.default for p in summary.parameters]
        )
        limits = {
            f"{name}_limits": self._numbers(_limits(summary.coordinates, name, missing))
            for name, missing in (
                ("lower", -np.inf),
                ("upper", np.inf),
                ("velocity", np.inf),
                ("effort", np.inf),
            )
        }
        tables = CTables(
            calls=self._array(_Call, [self._call(f) for f in summary.functions]),
            **limits,
            damping=self._numbers([c.damping for c in summary.coordinates]),
            friction=self._numbers([c.friction for c in summary.coordinates]),
            damping_in_dynamics="damping" in summary.terms,
            friction_in_dynamics="friction" in summary.terms,
            moving_joint_count=len(joints),
            joint_parents=self._integers([way[-2] + 1 if way[1:] else 0 for way in _ways(summary)]),
            joint_coordinates=self._integers([joint.coordinate for joint in joints]),
            joint_multipliers=self._numbers([joint.multiplier for joint in joints]),
            frame_links=self._integers([frame.link for frame in summary.frames]),
            contact_count=len(contacts),
            contact_names=self._texts(contact.name for contact in contacts),
            contact_frames=self._integers([contact.frame for contact in contacts]),
            contact_rows=self._integers([i in c.rows for c in contacts for i in range(6)]),
            continuous=self._array(ctypes.c_bool, [c.continuous for c in summary.coordinates]),
            moving_joint_names=self._texts(joint.name for joint in joints),
            **self._motors(summary),
        )
        self._model = CModel(
            size=ctypes.sizeof(CModel),
            version=4,
            name=summary.name.encode(),
            floating_base=summary.floating_base,
            joint_count=len(summary.coordinates),
            joint_names=self._texts(c.name for c in summary.coordinates),
            link_count=len(summary.link_names),
            link_names=self._texts(summary.link_names),
            frame_count=len(summary.frames),
            frame_names=self._texts(frame.name for frame in summary.frames),
            parameter_count=len(summary.parameters),
            parameter_names=self._texts(p.name for p in summary.parameters),
            parameter_defaults=self._numbers(self._defaults),
            function_count=len(summary.functions),
            functions=ctypes.cast(
                self._array(CFunction, [self._function(f) for f in summary.functions]),
                ctypes.POINTER(CFunction),
            ),
            constant_count=len(evaluator.constants(self._defaults)),
            update_parameters=self._keep(OfParameters(self._update)),
            tables=tables,
        )
        self.address = ctypes.addressof(self._model)

    def _motors(self, summary: Summary) -> dict[str, Any]:
        """Tables of the motors."""
        robot, names = RobotData(summary), [joint.name for joint in summary.joints]
        return {
            "motor_count": len(robot.actuated),
            "motor_joints": self._integers([names.index(name) for name in robot.actuated]),
            "gears": self._numbers(robot.gears),
            "motor_velocity_limits": self._numbers(robot.motor_velocity_limits),
            "motor_effort_limits": self._numbers(robot.motor_effort_limits),
        }

    def _keep(self, value: Any) -> Any:
        """Keeps a value to which C points as long as this object is there; returns it."""
        self._kept.append(value)
        return value

    def _array(self, kind: Any, values: Sequence[Any]) -> Any:
        return ctypes.cast(self._keep((kind * len(values))(*values)), ctypes.c_void_p)

    def _numbers(self, values: ArrayLike) -> Any:
        return self._array(ctypes.c_double, np.asarray(values, dtype=float).tolist())

    def _integers(self, values: Sequence[int]) -> Any:
        return self._array(ctypes.c_int32, values)

    def _texts(self, texts: Iterable[str]) -> Any:
        return self._array(ctypes.c_char_p, [text.encode() for text in texts])

    def _function(self, function: FunctionSummary) -> CFunction:
        """Returns the record of a function in C."""
        tables = [
            self._keep((CArgument * len(arguments))(*map(_argument, arguments)))
            for arguments in (function.inputs, function.outputs)
        ]
        counts = map(len, tables)
        return CFunction(function.name.encode(), next(counts), tables[0], next(counts), tables[1])

    def _call(self, function: FunctionSummary) -> Callable[..., None]:
        """A function of C that calls the evaluator; results are NaN where that fails."""
        name = function.name
        inputs = [(a.name, array_shape(a)) for a in function.inputs]
        outputs = [(a.name, size(array_shape(a))) for a in function.outputs]
        evaluator, usual = self._evaluator, self._evaluator.constants(self._defaults)

        def call(context: object, constants: Any, given: Any, taken: Any) -> None:
            results = [_array(taken[i], (width,)) for i, (_, width) in enumerate(outputs)]
            for result in results:
                result[:] = np.nan
            arrays = {n: _array(given[i], s) for i, (n, s) in enumerate(inputs) if given[i]}
            values = _array(constants, usual.shape) if constants else usual
            with np.errstate(all="ignore"):
                found = evaluator.call(name, arrays, values, ())
            for result, (output, _) in zip(results, outputs, strict=True):
                result[:] = found[output].ravel()

        return self._keep(_Call(call))  # type: ignore[no-any-return]

    def _update(self, parameters: Any, constants: Any) -> None:
        if not self._defaults.size:
            return
        values = _array(ctypes.cast(parameters, _Numbers), self._defaults.shape)
        found = self._evaluator.constants(values.copy())
        _array(ctypes.cast(constants, _Numbers), found.shape)[:] = found


def _array(pointer: Any, shape: tuple[int, ...]) -> Array:
    """The numbers that a pointer points to."""
    return np.ctypeslib.as_array(pointer, shape)


def _argument(argument: ArgumentSummary) -> CArgument:
    rows, columns = 1 if argument.scalar else argument.rows, argument.columns or 1
    return CArgument(argument.name.encode(), rows, columns, argument.optional)


def _limits(coordinates: Sequence[Any], name: str, missing: float) -> list[float]:
    values = (getattr(c, name) for c in coordinates)
    return [missing if value is None else value for value in values]


def _ways(summary: Any) -> list[tuple[int, ...]]:
    """Returns for each joint the joints from the base to it."""
    return [summary.supports[i + 1] for i in range(len(summary.joints))]

"""The values of a robot's named parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.checks.inertia import inertia_breach
from robcogen_ros.model.names import nearest
from robcogen_ros.runtime.arguments import checked_number
from robcogen_ros.runtime.evaluators.evaluator import Evaluator

Array = NDArray[np.float64]
_NONE: Array = np.empty(0)


class Parameters(MutableMapping[str, float]):
    """Values by name; all names are there from the start, those without a default as NaN."""

    def __init__(self, evaluator: Evaluator, values: Mapping[str, float] | None = None) -> None:
        """The parameters of a robot, at their defaults unless values of all of them are given."""
        summaries = evaluator.summary.parameters
        self._evaluator = evaluator
        self._constants: Array | None = _NONE if not summaries else None
        self._defaults = {p.name: math.nan if p.default is None else p.default for p in summaries}
        self._values = self._defaults | dict(values or {})

    def __reduce__(self) -> tuple[type[Parameters], tuple[Evaluator, dict[str, float]]]:
        return type(self), (self._evaluator, dict(self._values))

    def __getitem__(self, name: str) -> float:
        self._check_name(name)
        return self._values[name]

    def __setitem__(self, name: str, value: float) -> None:
        self.update({name: value})

    def update(self, changes: Any = (), /, **more: float) -> None:
        """Sets several values, or none of them where one is wrong.

        Args:
            changes: Values by name, in the parameters' own units: lengths [m], angles [rad],
                masses [kg], inertias [kg m^2].
            **more: The same, where names are words of Python.

        Raises:
            KeyError: If there is no parameter of a name.
            TypeError: If a value is no number.
            ValueError: If a value is not a finite number.

        Example:
            >>> arm.parameters.update({"payload.mass": 1.5, "payload.com.z": 0.1})
        """
        values = self._checked(dict(changes, **more))
        for name, value in values.items():
            if not math.isfinite(value):
                raise ValueError(f"parameter '{name}' must be a finite number, not {value}")
        self._values |= values
        self._constants = None

    def reset(self) -> None:
        """Sets all values to the defaults of the model; those without one are missing again."""
        self._values = dict(self._defaults)
        self._constants = None if self._defaults else _NONE

    def __delitem__(self, name: str) -> None:
        raise TypeError("parameters of a robot cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Parameters({self._values})"

    def check(self, changes: Mapping[str, float] | None = None) -> list[str]:
        """Returns a sentence for each wrong value, now or after changes.

        A value that is no number, a negative mass, and a rotational inertia that no body has are
        wrong. Setting parameters does not check this: identified inertias often break it.

        Args:
            changes: Values by name that are to be checked in place of those that are set.

        Raises:
            KeyError: If there is no parameter of a name.
            TypeError: If a value is no number.
        """
        values = self._values | self._checked(changes or {})
        wrong = [
            f"parameter '{name}' is no number"
            for name, value in values.items()
            if not math.isfinite(value)
        ]
        if wrong or not self._evaluator.summary.bodies:
            return wrong
        inertias = self._evaluator.open_bodies(np.array(list(values.values()), dtype=np.float64))
        bodies = zip(self._evaluator.summary.bodies, inertias, strict=True)
        return [text for body, inertia in bodies for text in _problem(body.described, inertia)]

    def constants(self) -> Array:
        """Returns the constants of functions, computed once for each change of the values.

        Raises:
            RobcogenError: If a parameter without a default has not been set.
        """
        if self._constants is None:
            self._constants = self._evaluator.constants(self.array())
        return self._constants

    def array(self) -> Array:
        """All values in the order of the names.

        Raises:
            RobcogenError: If one without a default has not been set.
        """
        for name, value in self._values.items():
            if math.isnan(value):
                raise RobcogenError(
                    f"parameter '{name}' has no default; set robot.parameters['{name}'] first"
                )
        return np.array(list(self._values.values()), dtype=np.float64)

    def _checked(self, changes: Mapping[str, Any]) -> dict[str, float]:
        for name in changes:
            self._check_name(name)
        return {n: checked_number(f"parameter '{n}'", value) for n, value in changes.items()}

    def _check_name(self, name: str) -> None:
        if name not in self._values:
            raise KeyError(f"no parameter '{name}'{nearest(str(name), self._values)}")


def _problem(body: str, inertia: Array) -> Iterator[str]:
    """Yields what is wrong with mass and tensor of a body."""
    mass, xx, xy, xz, yy, yz, zz = inertia.tolist()
    if mass < 0:
        yield f"{body} has a negative mass: {mass:g} kg"
        return
    complaint = inertia_breach(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    if complaint:
        yield f"{body} has a rotational inertia that {complaint}"

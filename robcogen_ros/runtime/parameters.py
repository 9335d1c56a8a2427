"""The values of a robot's named parameters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, MutableMapping

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.program.summary import ParameterSummary

Array = NDArray[np.float64]
_NONE: Array = np.empty(0)


class Parameters(MutableMapping[str, float]):
    """Values by name; all names are there from the start, those without a default as NaN."""

    def __init__(
        self, summaries: tuple[ParameterSummary, ...], derive: Callable[[Array], Array]
    ) -> None:
        """Parameters at their defaults.

        Args:
            summaries: What they are.
            derive: What functions need of all values in order; computed once for each change.
        """
        self._derive = derive
        self._constants: Array | None = _NONE if not summaries else None
        self._values = {p.name: math.nan if p.default is None else p.default for p in summaries}

    def __getitem__(self, name: str) -> float:
        self._known(name)
        return self._values[name]

    def __setitem__(self, name: str, value: float) -> None:
        self._known(name)
        if not math.isfinite(value):
            raise ValueError(f"parameter '{name}' must be a finite number, not {value}")
        self._values[name] = float(value)
        self._constants = None

    def __delitem__(self, name: str) -> None:
        raise TypeError("parameters of a robot cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Parameters({self._values})"

    def constants(self) -> Array:
        """What functions need of the values.

        Raises:
            RobcogenError: If a parameter without a default has not been set.
        """
        if self._constants is None:
            self._constants = self._derive(self.array())
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

    def _known(self, name: str) -> None:
        if name not in self._values:
            raise KeyError(f"no parameter '{name}'{nearest(name, self._values)}")

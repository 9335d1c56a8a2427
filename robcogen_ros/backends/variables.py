"""Names of the variables of generated code, each unique."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from robcogen_ros.model.names import free_name
from robcogen_ros.program.leaf import Input, PackedConstant, PackedInput, ParameterValue
from robcogen_ros.program.program import Program

PARAMETERS = "parameters"
"""Name of the argument that holds the robot's parameters."""

Named = Input | ParameterValue | PackedInput | PackedConstant
"""Leaves that are read into variables."""

_LONGEST = 55
"""Characters of a name; MATLAB tells names apart by the first 63."""


class Variables:
    """The names of the variables of one function."""

    def __init__(
        self,
        program: Program,
        reserved: Iterable[str],
        parameters: Mapping[str, int],
        labels: Mapping[tuple[str, int], str],
    ) -> None:
        """Makes the names of a program's variables; see `layout` for the arguments."""
        self._inputs = {argument.name: argument for argument in program.inputs}
        self._parameters = parameters
        self._labels = labels
        outputs = (output.argument.name for output in program.outputs)
        self._taken = {*reserved, *self._inputs, *outputs, PARAMETERS, "work"}
        self._unnamed = 0

    def of_leaf(self, leaf: Named) -> str:
        """A new variable that holds the value of a leaf."""
        return self._free(re.sub(r"\W", "_", self.stem(leaf), flags=re.ASCII))

    def called(self, name: str) -> str:
        """A new variable of this name or, where it has none, of the next number."""
        if name:
            return self._free(name)
        self._unnamed += 1
        return self._free(f"t{self._unnamed}")

    def stem(self, leaf: Named) -> str:
        """Returns the name of a leaf, whether or not other variables have it."""
        if isinstance(leaf, PackedConstant):
            return "signs" if {abs(value) for value in leaf.values} == {1} else "k"
        if isinstance(leaf, PackedInput):
            return _together([self._label(leaf.name, index) for index in leaf.indices])
        if isinstance(leaf, ParameterValue):
            return self._labels.get((PARAMETERS, self._parameters[leaf.name]), leaf.name)
        return self._label(leaf.name, leaf.index)

    def _label(self, name: str, index: int) -> str:
        return self._labels.get((name, index)) or self._inputs[name].label(index)

    def _free(self, stem: str) -> str:
        return free_name(stem[:_LONGEST], self._taken)


def _together(names: list[str]) -> str:
    """One name for several that differ in a number: `q_1_4` for `q1`, `q4`."""
    parts = [re.fullmatch(r"(.*?)_?(\d+)(.*)", name) for name in names]
    numbers = "_".join(part[2] if part else name for part, name in zip(parts, names, strict=True))
    first = parts[0]
    return f"{first[1]}_{numbers}{first[3]}" if first else numbers

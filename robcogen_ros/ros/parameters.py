"""Parameters of nodes from one table: declared, described, checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from robcogen_ros.model.names import nearest
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments
from robcogen_ros.parameters.table import Parameter, table

MOMENTS = {
    "always": "at any time",
    "inactive": "while the controller is not active",
    "unconfigured": "before the controller is configured",
}
"""Words for when parameters may change."""
SETTLED: dict[str, tuple[str, ...]] = {
    "unconfigured": (),
    "inactive": ("unconfigured",),
    "active": ("unconfigured", "inactive"),
}
"""Parameters that may not change in a state of a managed node."""


class Parameters:
    """The parameters of a running node.

    Attributes:
        values: Their values by name.
    """

    def __init__(
        self,
        node: Any,
        name: str,
        change: Callable[[Mapping[str, Any]], str | None] = lambda _: None,
        arguments: NodeArguments = NO_ROBOT,
        state: Callable[[], str] | None = None,
    ) -> None:
        """Declares the parameters.

        Args:
            node: The ROS node.
            name: Name of the table of its parameters.
            change: Takes over all values after a change, or tells why it refuses them.
            arguments: The robot that the command line names.
            state: Tells the state of a managed node: unconfigured, inactive or active. In other
                nodes, what changes unconfigured stays as it is from now on.

        Raises:
            ValueError: If a value given at the start is wrong, or an old name is given.
            RobcogenError: If parameters and command line do not fit together.
        """
        self._state = state or (lambda: "unconfigured")
        self._table = {parameter.name: parameter for parameter in table(name)}
        self._change = change
        self.values: dict[str, Any] = {}
        for parameter in self._table.values():
            _refuse_old_names(node, parameter)
            value = _declared(node, parameter, state is not None)
            if (problem := parameter.problem(value)) is not None:
                raise ValueError(problem)
            self.values[parameter.name] = parameter.read(value)
        tell_unknown(node, self._table)
        self.values = arguments.merged(self.values)
        node.add_on_set_parameters_callback(self._on_set)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def _on_set(self, changes: Sequence[Any]) -> Any:
        from rcl_interfaces.msg import SetParametersResult

        reason = self._refusal({c.name: c.value for c in changes if c.name in self._table})
        return SetParametersResult(successful=reason is None, reason=reason or "")

    def _refusal(self, changes: Mapping[str, Any]) -> str | None:
        for name, value in changes.items():
            if (problem := self._table[name].problem(value)) is not None:
                return problem
            if self._table[name].changes in SETTLED[self._state()]:
                return f"{name}: can change only {MOMENTS[self._table[name].changes]}"
        new = {name: self._table[name].read(value) for name, value in changes.items()}
        if not new:
            return None
        if (reason := self._change({**self.values, **new})) is not None:
            return reason
        self.values.update(new)
        return None


def _declared(node: Any, parameter: Parameter, managed: bool) -> Any:
    """The value of a parameter at the start; what is beyond its range, ROS itself refuses."""
    from rclpy.exceptions import InvalidParameterValueException

    empty = [""] if parameter.type == "string_array" else parameter.default
    try:
        return node.declare_parameter(
            parameter.name, parameter.default or empty, _descriptor(parameter, managed)
        ).value
    except InvalidParameterValueException:
        given = node._parameter_overrides[parameter.name].value
        raise ValueError(parameter.problem(given)) from None


def tell_unknown(node: Any, known: Mapping[str, Parameter]) -> None:
    """Warns of parameters that are given and that nobody reads."""
    for name in getattr(node, "_parameter_overrides", {}):
        if not (node.has_parameter(name) or name.startswith(("qos_overrides.", "use_sim_time"))):
            hint = nearest(name, known)
            node.get_logger().warning(f"parameter '{name}' is unknown, and ignored{hint}")


def _refuse_old_names(node: Any, parameter: Parameter) -> None:
    from rcl_interfaces.msg import ParameterDescriptor

    for name in parameter.instead_of:
        given = node.declare_parameter(name, None, ParameterDescriptor(dynamic_typing=True)).value
        node.undeclare_parameter(name)
        if given is not None:
            unit = f" [{parameter.unit}]" if parameter.unit else ""
            raise ValueError(f"{name}: use {parameter.name}{unit} instead")


def _descriptor(parameter: Parameter, managed: bool) -> Any:
    from rcl_interfaces.msg import FloatingPointRange, ParameterDescriptor

    real = parameter.type in ("double", "double_array")
    ranged = real and math.isfinite(parameter.low) and math.isfinite(parameter.high)
    ends = FloatingPointRange(from_value=parameter.low, to_value=parameter.high) if ranged else None
    unit = f" [{parameter.unit}]" if parameter.unit else ""
    return ParameterDescriptor(
        description=parameter.description + unit,
        additional_constraints=", ".join(parameter.choices),
        read_only=parameter.changes == "unconfigured" and not managed,
        dynamic_typing=real or parameter.type == "string_array",
        floating_point_range=[ends] if ends is not None else [],
    )

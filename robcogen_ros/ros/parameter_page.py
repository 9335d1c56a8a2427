"""The parameters of nodes as tables of the documentation.

`python -m robcogen_ros.ros.parameter_page simulated_robot` prints the one of a node.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable

from robcogen_ros.ros import controller_parameters, simulation_parameters, whole_body_parameters
from robcogen_ros.ros.parameters import Parameter

TABLES = {
    "inverse_dynamics_controller": controller_parameters.TABLE,
    "simulated_robot": simulation_parameters.TABLE,
    "whole_body_controller": whole_body_parameters.TABLE,
}
HEAD = "| parameter | default | values | changes | what it is |\n|---|---|---|---|---|"


def page_table(parameters: Iterable[Parameter]) -> str:
    """A Markdown table of parameters."""
    return "\n".join([HEAD, *(_row(parameter) for parameter in parameters)])


def _row(parameter: Parameter) -> str:
    changes = "at start" if parameter.fixed else "any time"
    cells = (f"`{parameter.name}`", _default(parameter), _values(parameter), changes)
    return f"| {' | '.join(cells)} | {parameter.description} |"


def _default(parameter: Parameter) -> str:
    default = parameter.default
    if parameter.vector:
        return f"`[{', '.join(f'{x:g}' for x in default)}]`"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if isinstance(default, float):
        return f"`{default:g}`"
    return f"`{default}`" if isinstance(default, str) and default else ""


def _values(parameter: Parameter) -> str:
    if parameter.choices:
        return ", ".join(f"`{choice}`" for choice in parameter.choices)
    if isinstance(parameter.default, bool):
        return "`true`, `false`"
    if isinstance(parameter.default, float) or parameter.vector:
        ranged = math.isfinite(parameter.low) and math.isfinite(parameter.high)
        return f"{parameter.low:g} to {parameter.high:g}" if ranged else "a number"
    return "names" if isinstance(parameter.default, list) else "a text"


if __name__ == "__main__":
    print(page_table(TABLES[sys.argv[1]]))

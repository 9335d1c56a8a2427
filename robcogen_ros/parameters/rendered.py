"""Renders the tables of parameters: headers in C++, tables of pages."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from robcogen_ros.backends.render import render
from robcogen_ros.parameters.table import Parameter, table

PAGES = {
    "docs/controller.md": ("inverse_dynamics_controller", "simulated_hardware"),
    "docs/external_forces.md": ("external_force_broadcaster",),
    "docs/identification.md": ("payload_node",),
    "docs/inverse_dynamics_controller.md": ("inverse_dynamics_node",),
    "docs/inverse_kinematics.md": ("inverse_kinematics_node",),
    "docs/legged_controller.md": ("whole_body_controller", "simulated_ground"),
    "docs/simulated_robot.md": ("simulated_robot",),
    "docs/task_space_controller.md": ("task_space_controller", "task_space_node"),
    "docs/transform_publisher.md": ("transform_publisher",),
    "docs/whole_body_controller.md": ("whole_body_node",),
}
"""The tables that each page shows, in their order."""
SHARED = {
    "inverse_dynamics_node": ("inverse_dynamics_controller", "transform_publisher"),
    "inverse_kinematics_node": ("transform_publisher",),
    "payload_node": ("transform_publisher",),
    "simulated_robot": ("simulated_ground", "transform_publisher"),
    "task_space_controller": ("inverse_dynamics_controller",),
    "task_space_node": (
        *("inverse_dynamics_controller", "task_space_controller", "transform_publisher"),
    ),
    "whole_body_node": ("whole_body_controller", "transform_publisher"),
}
"""Tables, each with those whose parameters its page names, and does not describe again."""
HEADERS = (
    "inverse_dynamics_controller",
    "task_space_controller",
    "whole_body_controller",
    "external_force_broadcaster",
    "simulated_ground",
    "simulated_hardware",
)
"""Tables of which C++ has a struct."""
HEAD = "| parameter | default | unit | values | changes | meaning |\n|---|---|---|---|---|---|\n"
MIGRATION = "docs/migration/from_earlier_versions.md"
OLD = "| name | now | of |\n|---|---|---|\n"
OPEN = ("| `model.<name>`", "| `<foot>.")
"""Beginnings of rows that a page has beyond the table, whose names depend on the robot."""
_AT_START = (
    *("simulated_ground", "simulated_hardware", "simulated_robot"),
    *("inverse_kinematics_node", "payload_node", "transform_publisher", "whole_body_node"),
)
"""Nodes and hardware that are configured once, at their start."""
_TYPES = {
    "bool": "bool",
    "int": "std::int64_t",
    "double": "double",
    "string": "std::string",
    "double_array": "Numbers",
    "string_array": "Words",
}


def rendered(root: Path) -> dict[Path, str]:
    """The texts of all files of a checkout that have something rendered."""
    pages = {root / page: _page((root / page).read_text(), names) for page, names in PAGES.items()}
    migration = root / MIGRATION
    pages[migration], _ = _between(migration.read_text(), 0, OLD, _old_names())
    include = root / "include" / "robcogen_ros" / "parameters"
    headers = {include / f"{name}.hpp": header(name) for name in HEADERS}
    return pages | headers


def page_table(name: str) -> str:
    """A table of parameters in Markdown, without those that other pages describe."""
    fixed = "at start" if name in _AT_START else "before configuring"
    elsewhere = [row for other in SHARED.get(name, ()) for row in shared(name, other)]
    return HEAD + "".join(_row(row, fixed) for row in table(name) if row.name not in elsewhere)


def shared(name: str, other: str) -> list[str]:
    """Names of parameters that mean the same in another table, and not in one before it."""
    before = SHARED[name][: SHARED[name].index(other)]
    told = [parameter for earlier in before for parameter in shared(name, earlier)]
    rows = {row.name: replace(row, instead_of=()) for row in table(other) if row.name not in told}
    return [r.name for r in table(name) if rows.get(r.name) == replace(r, instead_of=())]


def header(name: str) -> str:
    """The struct of a table in C++."""
    parameters = table(name)
    context = {
        "table": name,
        "class_name": name.title().replace("_", ""),
        "guard": name.upper(),
        "page": next(page for page, shown in PAGES.items() if name in shown).partition("/")[2],
        "members": [_members(kind, parameters) for kind in _TYPES],
        "refused": [(old, p.name + _unit(p)) for p in parameters for old in p.instead_of],
        "rows": [(p.name, _entry(p), p.description + _unit(p)) for p in parameters],
    }
    return render("ros/parameters.hpp.jinja", context)


def _page(text: str, names: Sequence[str]) -> str:
    """A page with its tables as they are now."""
    end = 0
    for name in names:
        begin = text.index(HEAD, end)
        lines = text[end:begin]
        for other in SHARED.get(name, ()):
            listed = ", ".join(f"`{parameter}`" for parameter in shared(name, other))
            lead = rf"^(As in \[{other}\]\(\S*\): ).*$"
            lines = re.sub(lead, rf"\g<1>{listed}.", lines, flags=re.MULTILINE)
        text, end = text[:end] + lines + text[begin:], end + len(lines)
        text, end = _between(text, end, HEAD, page_table(name))
    return text


def _between(text: str, start: int, head: str, rows: str) -> tuple[str, int]:
    """A page with other rows of the first table from a place on that begins with a head.

    Where the new rows end comes with it.
    """
    begin = text.index(head, start)
    end = begin + len(head)
    while text.startswith("| `", end) and not text.startswith(OPEN, end):
        end = text.index("\n", end) + 1
    return text[:begin] + rows + text[end:], begin + len(rows)


def _old_names() -> str:
    """The table of names that are refused."""
    of: dict[str, list[str]] = {}
    for page, names in PAGES.items():
        for name in names:
            link = f"[{name}](../{page.partition('/')[2]})"
            for p in table(name):
                for old in p.instead_of:
                    of.setdefault(f"| `{old}` | `{p.name}` |", []).append(link)
    return OLD + "".join(f"{change} {', '.join(links)} |\n" for change, links in of.items())


def _row(parameter: Parameter, fixed: str) -> str:
    changes = {"always": "any time", "inactive": "while inactive", "unconfigured": fixed}
    name, default = f"`{parameter.name}`", f"`{_yaml(parameter.default)}`"
    cells = (name, default, parameter.unit, _values(parameter), changes[parameter.changes])
    return f"| {' | '.join(cells)} | {parameter.description} |\n"


def _values(parameter: Parameter) -> str:
    """The values that a parameter may have, in words."""
    low, high = parameter.low, parameter.high
    if parameter.choices:
        return ", ".join(f"`{choice}`" for choice in parameter.choices)
    if parameter.type == "bool":
        return "`true`, `false`"
    if parameter.exclusive:
        return f"more than {low:g}"
    if math.isfinite(low):
        return f"{low:g} to {high:g}" if math.isfinite(high) else f"from {low:g}"
    return ""


def _yaml(value: Any) -> str:
    """A default as YAML has it."""
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 1e-2 and value else repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value) or '""'


def _members(kind: str, parameters: Sequence[Parameter]) -> str:
    """The members of a type, with their initial values; empty if there are none."""
    members = ", ".join(f"{p.name}{_initial(p)}" for p in parameters if p.type == kind)
    return members and f"{_TYPES[kind]} {members}"


def _initial(parameter: Parameter) -> str:
    """The initialiser of a member."""
    default = parameter.default
    if isinstance(default, list):
        return f"{{{', '.join(map(_cpp, default))}}}"
    return f" = {_cpp(default)}"


def _cpp(value: Any) -> str:
    if isinstance(value, float) and math.isinf(value):
        return "endless" if value > 0 else "-endless"
    return json.dumps(value)


def _entry(parameter: Parameter) -> str:
    """Returns the validation of a parameter as C++ writes it: bounds, size, choices."""
    flags = "true" if parameter.exclusive else "false"
    numbers = (parameter.low, parameter.high)
    low, high = (_cpp(float(number)) for number in numbers)
    choices = ", ".join(parameter.choices)
    return f'{parameter.changes}, {low}, {high}, {flags}, {parameter.size}, "{choices}"'


def _unit(parameter: Parameter) -> str:
    return f" [{parameter.unit}]" if parameter.unit else ""

"""Where the operations of a function go, step by step: as a table and as a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from robcogen_ros.model.robot import Robot
from robcogen_ros.program.leaf import Input
from robcogen_ros.program.program import Program, moving_columns
from robcogen_ros.program.step_costs import costs

KINDS = ("mul", "add", "other")
_COLORS = {"mul": "#4477aa", "add": "#ccbb44", "other": "#ee6677"}
_BAR = 30
_ROW, _LABELS, _WIDTH, _TOP = 20, 420, 480, 50


def table(program: Program) -> Iterator[str]:
    """Lines of a table, with a bar for each step's share."""
    found = costs(program)
    most = max((sum(count.values()) for count in found.values()), default=0)
    width = max(map(len, found), default=0)
    yield f"{'step':{width}}" + "".join(f"{kind:>7}" for kind in KINDS)
    for step, count in found.items():
        bar = "#" * round(_BAR * sum(count.values()) / most)
        yield f"{step:{width}}" + "".join(f"{count[kind]:>7}" for kind in KINDS) + f"  {bar}"
    total = sum(found.values(), Counter[str]())
    yield f"{'sum':{width}}" + "".join(f"{total[kind]:>7}" for kind in KINDS)


def picture(program: Program) -> str:
    """A chart of the same as an SVG document."""
    found = costs(program)
    most = max((sum(count.values()) for count in found.values()), default=1)
    height = _TOP + _ROW * len(found) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LABELS + _WIDTH + 60}" '
        f'height="{height}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="20" font-size="14">{escape(program.name)}: '
        f"{sum(sum(count.values()) for count in found.values())} operations</text>",
    ]
    for i, kind in enumerate(KINDS):
        x = _LABELS + 80 * i
        lines.append(f'<rect x="{x}" y="10" width="12" height="12" fill="{_COLORS[kind]}"/>')
        lines.append(f'<text x="{x + 18}" y="20">{kind}</text>')
    for row, (step, count) in enumerate(found.items()):
        lines += _row(step, count, _TOP + _ROW * row, _WIDTH / most)
    return "\n".join([*lines, "</svg>\n"])


def _row(step: str, count: Counter[str], y: int, scale: float) -> Iterator[str]:
    """A step's name, a bar of its operations, and how many they are."""
    yield f'<text x="{_LABELS - 8}" y="{y + 11}" text-anchor="end">{escape(step)}</text>'
    x = float(_LABELS)
    for kind in KINDS:
        width = count[kind] * scale
        if width:
            size = f'width="{width:.1f}" height="{_ROW - 6}"'
            yield f'<rect x="{x:.1f}" y="{y}" {size} fill="{_COLORS[kind]}"/>'
        x += width
    yield f'<text x="{x + 6:.1f}" y="{y + 11}">{sum(count.values())}</text>'


def joints_of(program: Program, robot: Robot) -> list[str]:
    """The joints whose positions a function reads; of a Jacobian those whose columns it has."""
    if [output.argument.name for output in program.outputs] == ["J"]:
        base = (program.outputs[0].argument.columns or 0) - robot.n
        found = {column - base for column in moving_columns(program)}
    else:
        results = [node for output in program.outputs for node in output.nodes]
        read = [*results, *(node for s in program.statements() for node in s.node.operands)]
        found = {x.leaf.index for x in read if isinstance(x.leaf, Input) and x.leaf.name == "q"}
    return [name for joint, name in enumerate(robot.joint_names) if joint in found]

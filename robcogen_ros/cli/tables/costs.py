"""Operations of a function, step by step: as a table and as a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

import numpy as np

from robcogen_ros.model.robot import Robot
from robcogen_ros.plots.skeleton import Skeleton, flat
from robcogen_ros.program.leaf import Input
from robcogen_ros.program.program import Program, moving_columns
from robcogen_ros.program.step_costs import costs

KINDS = ("mul", "add", "other")
_COLORS = {"mul": "#4477aa", "add": "#ccbb44", "other": "#ee6677"}
_BAR = 30
_ROW, _LETTER, _WIDTH, _TOP, _FIGURE = 20, 6.6, 480, 56, 200


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


def picture(program: Program, robot: Skeleton, *, dark: bool = False) -> str:
    """A chart of the same as an SVG document, and the robot."""
    found = costs(program)
    most = max((sum(count.values()) for count in found.values()), default=1)
    labels = 30 + _LETTER * max(map(len, found), default=0)
    height = max(_TOP + _ROW * len(found) + 10, _TOP + _FIGURE)
    width = labels + _WIDTH + 60 + _FIGURE
    ink, ground = ("#e6e8ec", "#1b1e24") if dark else ("#20262d", "#ffffff")
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'font-family="sans-serif" font-size="12" fill="{ink}">',
        f'<rect width="100%" height="100%" fill="{ground}"/>',
        f'<text x="10" y="20" font-size="14">{escape(program.name)} of {escape(robot.name)}: '
        f"{sum(sum(count.values()) for count in found.values())} operations</text>",
    ]
    for i, kind in enumerate(KINDS):
        x = labels + 80 * i
        lines.append(f'<rect x="{x}" y="30" width="12" height="12" fill="{_COLORS[kind]}"/>')
        lines.append(f'<text x="{x + 18}" y="40">{kind}</text>')
    for row, (step, count) in enumerate(found.items()):
        lines += _row(step, count, _TOP + _ROW * row, labels, _WIDTH / most)
    lines += _figure(robot, width - _FIGURE, _TOP, ink)
    return "\n".join([*lines, "</svg>\n"])


def _figure(robot: Skeleton, left: float, top: float, ink: str) -> Iterator[str]:
    """The robot in a square."""
    ends = [(flat(start), flat(end)) for _, start, end in robot.bones]
    if not ends:
        return
    low, high = np.min(ends, axis=(0, 1)), np.max(ends, axis=(0, 1))
    scale = (_FIGURE - 30) / max(float((high - low).max()), 1e-9)
    for start, end in ends:
        (x1, y1), (x2, y2) = (scale * (point - low) for point in (start, end))
        bottom = top + _FIGURE - 20
        begin = f'x1="{left + x1:.1f}" y1="{bottom - y1:.1f}"'
        tip = f'x2="{left + x2:.1f}" y2="{bottom - y2:.1f}"'
        yield f'<line {begin} {tip} stroke="{ink}" stroke-width="2" stroke-linecap="round"/>'


def _row(step: str, count: Counter[str], y: int, labels: float, scale: float) -> Iterator[str]:
    """A step's name, a bar of its operations, and how many they are."""
    yield f'<text x="{labels - 8:.0f}" y="{y + 11}" text-anchor="end">{escape(step)}</text>'
    x = float(labels)
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

"""The demo's report as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from robcogen_ros.demo.recording import Result
from robcogen_ros.demo.timing import Cost

MISSED = 0.001
"""Share of missed cycles from which on errors tell more of the machine than of the law."""
BUSY = (
    "Cycles were missed: this machine was too busy or too slow, and the errors show it. Try a "
    "lower rate.\n"
    "Nodes in Python are for trying things out; the generated C++ is for hard real time."
)


def report(robot: Any, rate: float, results: tuple[Result, Result], costs: list[Cost]) -> str:
    """Rates, tracking errors with and without feed-forward, and costs of the generated code."""
    parts = (_rates(rate, results), _tracking(robot, results), _costs(costs))
    return "\n\n".join((*parts, BUSY) if _missed(results) else parts)


def _missed(results: tuple[Result, Result]) -> bool:
    """Whether too many cycles were missed for the errors to be those of the law."""
    return max(max(result.missed, result.unanswered) for result in results) > MISSED


def _rates(rate: float, results: tuple[Result, Result]) -> str:
    def row(label: str, values: Sequence[str]) -> str:
        return f"  {label:<44}" + "".join(f"{value:>18}" for value in values)

    both = results
    lines = [
        row(f"Closed loop at {rate:g} Hz", ("with feed-forward", "without")),
        row("joint states a second", [f"{r.states_rate:.0f}" for r in both]),
        row("efforts a second", [f"{r.commands_rate:.0f}" for r in both]),
        row("cycles missed by the simulated robot", [f"{r.missed:.2%}" for r in both]),
        row("joint states not answered", [f"{r.unanswered:.2%}" for r in both]),
        row(
            "state to effort, median and 99 % [ms]",
            ["{:.2f} {:6.2f}".format(*_percentiles(r)) for r in both],
        ),
        row(
            "of that in the controller, mean [ms]",
            [f"{1e3 * r.controller.get('mean_duration', np.nan):.2f}" for r in both],
        ),
    ]
    return "\n".join(line[2:] if i == 0 else line for i, line in enumerate(lines))


def _percentiles(result: Result) -> tuple[float, float]:
    if not len(result.response):
        return float("nan"), float("nan")
    middle, high = np.percentile(1e3 * result.response, [50, 99])
    return float(middle), float(high)


def _tracking(robot: Any, results: tuple[Result, Result]) -> str:
    """Errors in thousandths: mrad and mm."""
    width = max(12, *(len(name) for name in robot.joint_names))
    with_, without = results
    titles = ("rms", "largest", "rms", "largest")
    lines = [
        f"{'Tracking error':<{width + 8}}{'with feed-forward':>22}{'without':>22}{'ratio':>9}",
        f"{'':<{width + 8}}" + "".join(f"{title:>11}" for title in titles) + f"{'of rms':>9}",
    ]
    rows = zip(
        robot.joint_names,
        robot.prismatic,
        *(1e3 * x for r in results for x in (r.rms, r.worst)),
        strict=True,
    )
    for name, prismatic, *errors in rows:
        unit = "mm" if prismatic else "mrad"
        numbers = "".join(f"{error:>11.3f}" for error in errors)
        ratio = "-" if _missed(results) else f"{min(errors[2] / max(errors[0], 1e-12), 99999):.0f}"
        lines.append(f"  {name:<{width}}{unit:>5} {numbers}{ratio:>9}")
    total = np.sqrt(np.mean(without.rms**2)) / max(np.sqrt(np.mean(with_.rms**2)), 1e-15)
    if _missed(results):
        lines.append("  What the feed-forward is worth is not told, for cycles were missed.")
    else:
        lines.append(f"  The generated feed-forward makes the error {total:.0f} times smaller.")
    return "\n".join(lines)


def _costs(costs: list[Cost]) -> str:
    head = ("us a call", "multiply", "add", "sin, cos", "other")
    lines = [f"{'Generated functions':<28}" + "".join(f"{title:>11}" for title in head)]
    for cost in costs:
        n = cost.operations
        counts = (
            n.get("multiply", 0),
            n.get("add", 0) + n.get("subtract", 0),
            n.get("sin", 0) + n.get("cos", 0),
        )
        other = sum(n.values()) - sum(counts) - n.get("negate", 0)
        numbers = "".join(f"{count:>11}" for count in (*counts, other))
        lines.append(f"  {cost.name:<26}{cost.microseconds:>11.2f}{numbers}")
    return "\n".join(lines)

"""The demo's report as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from robcogen_ros.demo.recording import Result
from robcogen_ros.demo.timing import Cost

KEPT = 0.99
"""Share of the rate from which on it is kept."""
SLOW = (
    "  This machine was too busy or too slow for {:g} Hz; the simulated time waited for it.\n"
    "  Nodes in Python are for trying things out; the generated C++ is for hard real time."
)


def report(robot: Any, rate: float, results: tuple[Result, Result], costs: list[Cost]) -> str:
    """Tracking errors with and without feed-forward, which are those of any machine; then times."""
    return "\n\n".join((_tracking(robot, rate, results), _real_time(rate, results), _costs(costs)))


def _tracking(robot: Any, rate: float, results: tuple[Result, Result]) -> str:
    """Errors in thousandths: mrad and mm."""
    width = max(12, *(len(name) for name in robot.joint_names))
    titles = ("rms", "largest", "rms", "largest")
    lines = [
        f"Tracking error in simulated time at {rate:g} Hz, the same on every machine",
        f"{'':<{width + 8}}{'with feed-forward':>22}{'without':>22}{'ratio':>9}",
        f"{'':<{width + 8}}" + "".join(f"{title:>11}" for title in titles) + f"{'of rms':>9}",
    ]
    rows = zip(
        robot.joint_names,
        robot.units,
        *(1e3 * x for r in results for x in (r.rms, r.worst)),
        strict=True,
    )
    for name, unit, *errors in rows:
        numbers = "".join(f"{error:>11.3f}" for error in errors)
        lines.append(f"  {name:<{width}}{f'm{unit}':>5} {numbers}{_ratio(errors[2], errors[0]):>9}")
    total = _ratio(*(float(np.sqrt(np.mean(r.rms**2))) for r in reversed(results)))
    lines += [
        f"  Without the generated feed-forward, the error is {total} times as large.",
        _answered(results),
    ]
    return "\n".join(lines)


def _ratio(without: float, with_: float) -> str:
    ratio = min(without / max(with_, 1e-12), 99999.0)
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def _answered(results: tuple[Result, Result]) -> str:
    """Returns the number of joint states without an effort, in words."""
    missed = sum(result.unanswered for result in results)
    count = sum(len(result.time) for result in results)
    told = f"  {missed} of {count} joint states were not answered by an effort"
    return f"{told}: the errors show this, too." if missed else f"{told}."


def _real_time(rate: float, results: tuple[Result, Result]) -> str:
    kept = [1.0 / (rate * float(np.mean(result.cycle))) for result in results]
    rows = [
        ("cycles a second", [f"{rate * share:.0f}" for share in kept]),
        ("cycles missed", [f"{max(0.0, 1.0 - share):.2%}" for share in kept]),
        ("cycle, median, 99 %, longest [ms]", [_spread(r.cycle) for r in results]),
        ("state to effort, median, 99 %, longest [ms]", [_spread(r.response) for r in results]),
        (
            "of that in the controller, mean [ms]",
            [f"{1e3 * r.controller.get('mean_duration', np.nan):.2f}" for r in results],
        ),
    ]
    head = f"{'The same in real time, on this machine':<46}{'with feed-forward':>22}{'without':>22}"
    lines = [head, *(f"  {name:<44}" + "".join(f"{v:>22}" for v in both) for name, both in rows)]
    return "\n".join(lines if min(kept) > KEPT else [*lines, SLOW.format(rate)])


def _spread(times: Any) -> str:
    if not len(times):
        return "-"
    return " ".join(f"{time:6.2f}" for time in np.percentile(1e3 * times, [50, 99, 100]))


def _costs(costs: list[Cost]) -> str:
    head = ("us a call", "multiply", "add", "sin, cos", "other")
    lines = [f"{'Functions, on this machine':<28}" + "".join(f"{title:>11}" for title in head)]
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

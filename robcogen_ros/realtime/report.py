"""The outcome of a run in words and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from robcogen_ros.realtime.computer import Computer
from robcogen_ros.realtime.outcome import Histogram, Outcome

QUANTILES = {"median": 0.5, "99.9 %": 0.999, "99.999 %": 0.99999}
_STEPS = (1, 2, 5)
_BAR = 40


@dataclass(frozen=True, slots=True)
class Run:
    """A run and what it was asked for.

    Attributes:
        robot: Name of the robot.
        joints: Number of its coordinates.
        mode: The control law.
        rate: Cycles a second [Hz].
        duration: Length [s].
        priority: Of SCHED_FIFO; 0 for usual scheduling.
        cpu: The CPU that was asked for; None for any.
        stress: Number of processes beside it.
        computer: Where it ran.
        outcome: What it measured.
    """

    robot: str
    joints: int
    mode: str
    rate: float
    duration: float
    priority: int
    cpu: int | None
    stress: int
    computer: Computer
    outcome: Outcome

    @property
    def times(self) -> dict[str, Histogram]:
        """The histograms by what took the time."""
        outcome = self.outcome
        return {
            "wake-up late by": outcome.wake_up,
            "control law": outcome.execution,
            "simulated robot": outcome.simulation,
        }


def report(run: Run) -> str:
    """The run for people."""
    lines = [*_head(run), "", *_table(run), "", *_counts(run)]
    for title, histogram in list(run.times.items())[:2]:
        lines += ["", *_histogram(title, histogram)]
    return "\n".join(lines)


def data(run: Run) -> dict[str, Any]:
    """The run for machines; times in ns."""
    result = asdict(run)
    for name in ("wake_up", "execution", "simulation"):
        histogram: Histogram = getattr(run.outcome, name)
        quantiles = {label: histogram.quantile(share) for label, share in QUANTILES.items()}
        result["outcome"][name]["quantiles"] = quantiles
    return result


def _head(run: Run) -> Iterator[str]:
    computer, outcome = run.computer, run.outcome
    cycles = outcome.wake_up.total
    yield (
        f"{run.robot}, {run.joints} joints: {run.mode} at {run.rate:g} Hz for {run.duration:g} s, "
        f"{cycles} cycles"
    )
    granted = [f"SCHED_FIFO priority {run.priority}" if outcome.fifo else "usual scheduling"]
    granted += [f"CPU {run.cpu}"] if outcome.pinned else []
    granted += ["memory locked" if outcome.locked else "memory not locked"]
    load = f"{run.stress} processes of load" if run.stress else "no load of its own beside it"
    yield f"  {', '.join(granted)}; {load}"
    kind = "PREEMPT_RT" if computer.preempt_rt else "not PREEMPT_RT"
    where = "virtual machine, " if computer.virtual else ""
    yield f"  {computer.kernel} ({kind}), {where}{computer.cpus} CPUs {computer.model}".rstrip()
    for note in outcome.notes:
        yield f"  note: {note}"


def _table(run: Run) -> Iterator[str]:
    yield f"{'[us]':18}" + "".join(f"{label:>11}" for label in (*QUANTILES, "worst"))
    for title, histogram in run.times.items():
        values = [histogram.quantile(share) for share in QUANTILES.values()]
        cells = ["-" if value is None else f"{1e-3 * value:.2f}" for value in values]
        cells.append(f"{1e-3 * histogram.worst:.2f}")
        yield f"{title:18}" + "".join(f"{cell:>11}" for cell in cells)
    cycles = run.outcome.wake_up.total
    if cycles < 100_000:
        yield f"(-: {cycles} cycles are too few to tell; 99.999 % takes 100000)"


def _counts(run: Run) -> Iterator[str]:
    outcome = run.outcome
    allocations = "not counted here" if outcome.allocations is None else outcome.allocations
    yield f"missed cycles           {outcome.missed}"
    yield f"page faults             {outcome.page_faults}"
    yield f"allocations             {allocations}"
    yield f"moves to another CPU    {outcome.migrations}"
    error = outcome.tracking_error
    said = "the motion ran away" if error is None else f"{error:.2e} rad or m"
    yield f"largest tracking error  {said}"


def _histogram(title: str, histogram: Histogram) -> Iterator[str]:
    """Yields a histogram as bars of the logarithms, so that the rare times show."""
    edges = [0.0]
    power = 100.0
    while edges[-1] <= histogram.worst:
        edges += [step * power for step in _STEPS]
        power *= 10
    counts = [histogram.between(*pair) for pair in pairwise(edges)]
    used = [i for i, count in enumerate(counts) if count]
    most = max(counts, default=1).bit_length()
    yield f"{title} [us]"
    for i in range(used[0], used[-1] + 1) if used else ():
        bar = "#" * round(_BAR * counts[i].bit_length() / most)
        yield f"{1e-3 * edges[i]:9g} to {1e-3 * edges[i + 1]:<9g}{counts[i]:>9}  {bar}".rstrip()

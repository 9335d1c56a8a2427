"""The points of a study: a grid, a list in a file, or samples."""

from __future__ import annotations

import csv
import itertools
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Location, ModelError, RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.formats import source

Array = NDArray[np.float64]
SAMPLERS = {"sobol": "Sobol", "halton": "Halton", "lhs": "LatinHypercube"}
"""Samplers, and what they are called in `scipy.stats.qmc`."""


@dataclass(frozen=True, slots=True)
class Points:
    """Values to study a robot at.

    Attributes:
        names: What is varied.
        values: (points, names), a point a row.
    """

    names: tuple[str, ...]
    values: Array

    def __len__(self) -> int:
        return len(self.values)

    def described(self, index: int) -> str:
        """A point in a message."""
        values = self.values[index].tolist()
        return ", ".join(f"{n}={value:.10g}" for n, value in zip(self.names, values, strict=True))


@dataclass(frozen=True, slots=True)
class Range:
    """Values from one to another, both included.

    Attributes:
        count: How many values of a grid; None where samples are taken.
    """

    low: float
    high: float
    count: int | None = None


Variation = tuple[str, Range | tuple[float, ...]]
"""A name, and a range or the values that it takes."""


def grid(variations: Sequence[Variation]) -> Points:
    """All combinations of values, the last name's changing first.

    Raises:
        RobcogenError: If a range has no count.
    """
    axes = []
    for name, varied in variations:
        if isinstance(varied, tuple):
            axes.append(list(varied))
        elif varied.count is None:
            raise RobcogenError(
                f"--vary {name}={varied.low:g}:{varied.high:g}: expected FROM:TO:COUNT; without "
                "COUNT it is a range to sample, by --sample"
            )
        else:
            axes.append(np.linspace(varied.low, varied.high, varied.count).tolist())
    return _points([name for name, _ in variations], np.array(list(itertools.product(*axes))))


def samples(variations: Sequence[Variation], sampler: str, count: int, seed: int) -> Points:
    """Samples of ranges, by a sampler of SciPy.

    Raises:
        RobcogenError: If what is varied is no range without a count, or SciPy is missing.
    """
    bounds = []
    for name, varied in variations:
        if isinstance(varied, tuple) or varied.count is not None:
            raise RobcogenError(f"--vary {name}: expected FROM:TO where --sample takes samples")
        bounds.append((varied.low, varied.high))
    qmc = package("scipy.stats.qmc", "--sample")
    engine = getattr(qmc, SAMPLERS[sampler])(len(bounds), seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # Sobol of no power of 2, which is told
        unit = engine.random(count)
    low, high = np.array(bounds).T
    return _points([name for name, _ in variations], low + (high - low) * unit)


def from_csv(path: str) -> Points:
    """Points of a CSV file: a line of names, then a line of numbers for each point.

    Raises:
        ModelError: If the file is wrong, with the line.
    """
    text = source.read(path, expected="points of a study").text
    reader = csv.reader(text.splitlines())
    names = [name.strip() for name in next(reader, [])]
    if not all(names) or not names:
        message = "expected a line of names, such as thigh.mass,knee.origin.z"
        raise ModelError.at(Location(path, 1), message)
    if twice := {name for name in names if names.count(name) > 1}:
        raise ModelError.at(Location(path, 1), f"'{min(twice)}' is there twice")
    rows = list(_rows(path, reader, len(names)))
    if not rows:
        raise ModelError.at(Location(path), "there is no point; expected a line of numbers each")
    return _points(names, np.array(rows))


def _rows(path: str, reader: Iterator[list[str]], count: int) -> Iterator[list[float]]:
    for line, cells in enumerate(reader, 2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != count:
            message = f"expected {count} numbers, found {len(cells)}"
            raise ModelError.at(Location(path, line), message)
        yield [_number(cell, Location(path, line)) for cell in cells]


def _number(cell: str, place: Location) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ModelError.at(place, f"expected a finite number, found '{cell.strip()}'")
    return value


def _points(names: Sequence[str], values: Array) -> Points:
    for name in names:
        if names.count(name) > 1:
            raise RobcogenError(f"'{name}' is varied twice")
    return Points(tuple(names), values)

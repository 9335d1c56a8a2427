"""Titles of an algorithm's steps and names of its quantities, for readable code.

Whoever traces the algorithm listens, and writes code that reads like the book; on plain numbers
nobody listens and nothing happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Force, Matrix3, MotionVector, Symmetric3, Vector


class Listener(Protocol):
    """Receives the steps and names of an algorithm."""

    def step(self, title: str) -> None:
        """A step of the algorithm begins."""

    def named(self, value: Scalar, name: str, apart: str) -> Scalar:
        """A quantity is called by a name; what is returned takes its place."""

    def noted(self, value: Scalar, name: str) -> Scalar:
        """An intermediate quantity is called by a name; what is returned takes its place."""


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)

_COMPONENTS: dict[type, tuple[str, ...]] = {
    Vector: ("x", "y", "z"),
    MotionVector: ("wx", "wy", "wz", "vx", "vy", "vz"),
    Force: ("nx", "ny", "nz", "fx", "fy", "fz"),
    Symmetric3: ("xx", "xy", "xz", "yy", "yz", "zz"),
}
COMPONENTS = tuple(_COMPONENTS.values())
"""Names of the components of quantities."""

_AXES = ("x", "y", "z")


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Lets a listener hear all that is said in the block."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def step(title: str) -> None:
    """Says that a step of the algorithm begins; one without a title ends the one before."""
    listener = _listener.get()
    if listener is not None:
        listener.step(title)


def named(value: Scalar, name: str, apart: str = "") -> Scalar:
    """Gives a quantity its name in the book, and returns it.

    Args:
        value: The quantity.
        name: Its name.
        apart: Its name where code is to be read, and each quantity has a name of its own.
    """
    listener = _listener.get()
    return value if listener is None else listener.named(value, name, apart or name)


def noted(value: Scalar, name: str) -> Scalar:
    """Gives an intermediate quantity a name where code is to be read, and returns it."""
    listener = _listener.get()
    return value if listener is None else listener.noted(value, name)


def components(value: Scalar) -> Iterable[tuple[str, Scalar]]:
    """The scalars of a quantity, each with what it is called in it; a scalar itself has no such."""
    labels = _COMPONENTS.get(type(value))
    if labels is not None:
        return zip(labels, value, strict=True)
    if isinstance(value, Matrix3):
        return (
            (row_axis + axis, scalar)
            for row_axis, row in zip(_AXES, value, strict=True)
            for axis, scalar in zip(_AXES, row, strict=True)
        )
    if isinstance(value, list):
        return ((str(i), scalar) for i, scalar in enumerate(value))
    return (("", value),)


def full_names(value: Scalar, name: str) -> Iterator[tuple[str, Scalar]]:
    """The scalars of a named quantity, each with its full name."""
    for component, scalar in components(value):
        yield f"{name}_{component}" if component else name, scalar

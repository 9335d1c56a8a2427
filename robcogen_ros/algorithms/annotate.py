"""How an algorithm says which step it is at and what it calls a quantity.

Whoever traces the algorithm listens, and writes code that reads like the book; on plain numbers
nobody listens and nothing happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.spatial import Force, Matrix3, Motion, Symmetric3, Vector


class Listener(Protocol):
    """What hears an algorithm's steps and names."""

    def step(self, title: str) -> None:
        """A step of the algorithm begins."""

    def name(self, value: Scalar, name: str) -> None:
        """A scalar is called by a name."""


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)

_COMPONENTS: dict[type, tuple[str, ...]] = {
    Vector: ("x", "y", "z"),
    Motion: ("wx", "wy", "wz", "vx", "vy", "vz"),
    Force: ("nx", "ny", "nz", "fx", "fy", "fz"),
    Symmetric3: ("xx", "xy", "xz", "yy", "yz", "zz"),
}
_AXES = ("x", "y", "z")


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let a listener hear all that is said in the block."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def step(title: str) -> None:
    """Say that a step of the algorithm begins; one without a title ends the one before."""
    listener = _listener.get()
    if listener is not None:
        listener.step(title)


def named(value: Scalar, name: str) -> Scalar:
    """Give a quantity its name in the book, and return it."""
    listener = _listener.get()
    if listener is not None:
        for component, scalar in _scalars(value):
            listener.name(scalar, f"{name}_{component}" if component else name)
    return value


def _scalars(value: Scalar) -> Iterable[tuple[str, Scalar]]:
    labels = _COMPONENTS.get(type(value))
    if labels is not None:
        return zip(labels, value, strict=True)
    if isinstance(value, Matrix3):
        return (
            (row_axis + axis, scalar)
            for row_axis, row in zip(_AXES, value, strict=True)
            for axis, scalar in zip(_AXES, row, strict=True)
        )
    return (("", value),)

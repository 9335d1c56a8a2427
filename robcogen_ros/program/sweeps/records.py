"""The numbers of the records that steps are given and return, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from robcogen_ros.algorithms.sweeps import Record
from robcogen_ros.model.robot import Joint, Link
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.program.graph import Node


def scalars(record: Record) -> list[Scalar]:
    """The numbers of a record."""
    found: list[Scalar] = []
    mapped(record, found.append)
    return found


def with_scalars(record: Record, values: Iterator[Node]) -> Record:
    """A record of the same kind, of other numbers."""
    return mapped(record, lambda _: next(values))


def mapped(record: Record, change: Callable[[Scalar], Any]) -> Record:
    """A record with each number changed, in order; what is no number stays."""
    if isinstance(record, tuple):
        found = [mapped(part, change) for part in record]
        return type(record)(*found) if hasattr(record, "_fields") else tuple(found)
    if record is None or isinstance(record, (str, bool)):
        return record
    if is_dataclass(record):
        if isinstance(record, (Joint, Link)):
            return _mapped_body(record, change)
        parts = [mapped(getattr(record, f.name), change) for f in fields(record)]
        make: Callable[..., Record] = type(record)
        return make(*parts)
    return change(record)


def _mapped_body(body: Joint | Link, change: Callable[[Scalar], Any]) -> Joint | Link:
    """A joint or link: names and numbers of links stay."""
    if isinstance(body, Link):
        inertia, frame = (mapped(part, change) for part in (body.inertia, body.frame))
        return replace(body, inertia=inertia, frame=frame)
    pose, multiplier, offset = (
        mapped(part, change) for part in (body.pose, body.multiplier, body.offset)
    )
    return replace(body, pose=pose, multiplier=multiplier, offset=offset)

"""Dataclasses of which symbolic algorithms make hundreds of thousands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

__all__ = ["record"]

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    Class = TypeVar("Class", bound=type)

    def record(*, frozen: bool, slots: bool) -> Callable[[Class], Class]:
        """A dataclass that is frozen to the type checker, which is enough.

        Where Python itself were to refuse assignments, an object would take three times as long
        to make.
        """
        return dataclass(unsafe_hash=frozen, slots=slots)

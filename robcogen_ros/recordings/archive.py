"""Motions in .npz files: arrays `time`, `q`, `qd`, `qdd`, `tau`, read a block at a time."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import IO

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.motion import BLOCK, Array, Motion
from robcogen_ros.recordings.names import NEEDED, QUANTITIES, renaming_told

_NAMES = "joint_names"


def read_archive(file: str, joints: Sequence[str]) -> Iterator[Motion]:
    """The motion in a file; joints are matched by its array `joint_names`, if it has one.

    Raises:
        RobcogenError: If it is not such a file.
    """
    try:
        with zipfile.ZipFile(file) as archive, ExitStack() as stack:
            known = {name.removesuffix(".npy") for name in archive.namelist()}
            for name in NEEDED:
                if name not in known:
                    expected = "time, q, qd, qdd, tau"
                    raise RobcogenError(
                        f"{file}: no array {name}; expected {expected}, found "
                        f"{', '.join(sorted(known)) or 'none'}"
                    )
            members = {
                name: _Member(file, name, stack.enter_context(archive.open(f"{name}.npy")))
                for name in ("time", *QUANTITIES)
                if name in known
            }
            names = _names(file, archive, joints) if _NAMES in known else [*joints]
            order = [names.index(joint) for joint in joints]
            count = _count(file, members, len(names))
            for begin in range(0, count, BLOCK):
                size = min(BLOCK, count - begin)
                block = {name: member.read(size) for name, member in members.items()}
                parts = [block[n][:, order] if n in block else None for n in QUANTITIES]
                q, qd, qdd, tau = parts
                assert q is not None
                assert tau is not None
                yield Motion(block.get("time"), q, qd, qdd, tau)
    except (zipfile.BadZipFile, EOFError, ValueError, RuntimeError, zlib.error) as error:
        raise RobcogenError(f"{file}: cannot be read as an .npz file: {error}") from None


def _names(file: str, archive: zipfile.ZipFile, joints: Sequence[str]) -> list[str]:
    """Names of the joints in a file, those that are wanted among them."""
    with archive.open(f"{_NAMES}.npy") as stream:
        array = np.atleast_1d(np.lib.format.read_array(stream))
    if array.dtype.kind == "S":
        array = np.char.decode(array, "utf-8")
    names = [str(name) for name in array.ravel().tolist()]
    for joint in joints:
        if joint not in names:
            told = ", ".join(names) + renaming_told(joints, names)
            raise RobcogenError(f"{file}: no joint '{joint}' in {_NAMES}: {told}")
    return names


def _count(file: str, members: dict[str, _Member], joints: int) -> int:
    """Returns the number of states."""
    states = (*members["q"].shape, 0)[0]
    for name, member in members.items():
        expected = (states,) if name == "time" else (states, joints)
        if member.shape != expected:
            raise RobcogenError(f"{file}: {name} has shape {member.shape}, expected {expected}")
    return states


class _Member:
    """An array of a file, read from its first row to its last."""

    def __init__(self, file: str, name: str, stream: IO[bytes]) -> None:
        version = np.lib.format.read_magic(stream)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if read is None:
            raise RobcogenError(f"{file}: {name} is of version {version} of the format")
        self.shape, by_columns, self._kind = read(stream)
        if self._kind.kind not in "fiu":
            raise RobcogenError(f"{file}: {name} holds no real numbers, but {self._kind}")
        if by_columns and len(self.shape) > 1:
            raise RobcogenError(
                f"{file}: {name} is stored column by column, which cannot be read in parts; save "
                "numpy.ascontiguousarray of it"
            )
        self._stream = stream

    def read(self, rows: int) -> Array:
        """The next rows."""
        shape = (rows, *self.shape[1:])
        size = int(np.prod(shape)) * self._kind.itemsize
        text = self._stream.read(size)
        if len(text) < size:
            raise EOFError("it is not whole")
        return np.frombuffer(text, self._kind).reshape(shape).astype(np.float64)

"""Meshes of a URDF as other files name them, as far as a program reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Problem
from robcogen_ros.formats import packages
from robcogen_ros.formats.meshes import stl
from robcogen_ros.formats.meshes.triangles import NOT_FINITE
from robcogen_ros.formats.regular_file import contents, reason
from robcogen_ros.model.description import ShapeDescription
from robcogen_ros.model.names import listed

_MUJOCO, _MOST_FACETS, _FEWEST_POINTS = "MuJoCo", 200_000, 4
_FLAT, _LEAST_VOLUME = 1e-6, 1e-15
"""Thickness of what is flat, of its length; volume below which MuJoCo refuses a mesh [m^3]."""


class Meshes:
    """Finds the files of meshes, and keeps those that cannot be read to tell of them."""

    def __init__(
        self,
        program: str,
        suffixes: Collection[str] | None,
        package_paths: Mapping[str, str],
        folder: Path | None,
    ) -> None:
        """Meshes for a program.

        Args:
            program: Its name.
            suffixes: Of the files that it reads; None for all.
            package_paths: Directories of packages that hold meshes.
            folder: Where the file is that names them; meshes in it are named from there.
        """
        self._program = program
        self._suffixes = suffixes
        self._packages = package_paths
        self._folder = folder
        self._left_out: dict[str, dict[str, None]] = {}

    def path(self, shape: ShapeDescription) -> str | None:
        """The path to write; None if the mesh is left out."""
        try:
            file = packages.mesh(shape, self._packages)
            data = contents(file)
            file = file.resolve()
            why = self._obstacle(file.suffix.lower(), data, shape.sizes)
        except packages.PackageNotFoundError as error:
            why = f"package '{error}' is not found (--package-path {error}:=DIRECTORY tells it)"
        except FileNotFoundError:
            why = f"there is no such file in {file.parent}"
        except OSError as error:
            why = reason(error)
        except ValueError:
            why = f"{self._program} cannot read them"
        if why:
            self._leave_out(shape, why)
            return None
        if self._folder is not None and self._folder.resolve() in file.parents:
            file = file.relative_to(self._folder.resolve())
        return file.as_posix()

    def _leave_out(self, shape: ShapeDescription, why: str) -> None:
        self._left_out.setdefault(why, {})[shape.mesh.rpartition("/")[2]] = None

    def _obstacle(self, suffix: str, data: bytes, scale: tuple[float, ...]) -> str:
        """Returns why the program cannot read a file at a scale; empty if it can."""
        if self._suffixes is not None and suffix not in self._suffixes:
            known = " and ".join(sorted(known[1:].upper() for known in self._suffixes))
            return f"{self._program} takes {known}"
        return _obstacle_for_mujoco(data, suffix, scale) if self._program == _MUJOCO else ""

    def problems(self) -> list[Problem]:
        """Returns warnings of the meshes that are left out."""
        return [
            Problem(f"meshes are left out, for {why}: {listed([*names])}", None, "warning")
            for why, names in self._left_out.items()
        ]


def _obstacle_for_mujoco(data: bytes, suffix: str, scale: tuple[float, ...]) -> str:
    if suffix == ".stl":
        if not 0 < stl.facets(data) <= _MOST_FACETS:
            return f"{_MUJOCO} reads binary STL of 1 to {_MOST_FACETS} facets"
        points = stl.corners(data)
    else:
        words_of_lines = [line.split() for line in data.splitlines()]
        if _groups(words_of_lines) > 1:
            return f"{_MUJOCO} reads the first group of an OBJ alone"
        lines = (words for words in words_of_lines if words[:1] == [b"v"])
        points = np.array([[float(x) for x in words[1:4]] for words in lines]).reshape(-1, 3)
    return obstacle_of_corners(points * scale)


def _groups(lines: Iterable[Sequence[bytes]]) -> int:
    """Returns the number of groups and objects of an OBJ that have faces."""
    count, begun = 0, False
    for words in lines:
        if words[:1] in ([b"g"], [b"o"]):
            begun = False
        elif words[:1] == [b"f"] and not begun:
            begun, count = True, count + 1
    return count


def obstacle_of_corners(points: NDArray[np.float64]) -> str:
    """Returns why MuJoCo does not take a mesh with corners (k, 3) [m]; empty if it does."""
    if not np.isfinite(points).all():
        return f"{NOT_FINITE} are no mesh"
    if _is_flat(points):
        return f"{_MUJOCO} takes no flat ones"
    if np.prod(np.ptp(points, axis=0)) < _LEAST_VOLUME:
        return f"{_MUJOCO} takes none of less than {_LEAST_VOLUME:g} m^3"
    return ""


def _is_flat(points: NDArray[np.float64]) -> bool:
    """Returns True if all points are in a plane."""
    if len(points) < _FEWEST_POINTS:
        return True
    spread = points - points.mean(axis=0)
    extents = np.sqrt(np.abs(np.linalg.eigvalsh(spread.T @ spread)))
    return bool(extents[0] <= _FLAT * extents[2])

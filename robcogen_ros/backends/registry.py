"""The target languages: a folder each, and a line here. CMake and the commands ask this list."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from robcogen_ros.backends.backend import Backend, TransformBackend

_LANGUAGES = {
    "cpp": ("cpp.files:cpp_files", "cpp.transforms:cpp_transform_files"),
    "c": ("c.files:c_files", "c.transforms:c_transform_files"),
    "cuda": ("cuda.files:cuda_files", ""),
    "octave": ("octave.robot:octave_files", "octave.transforms:octave_transform_files"),
    "python": ("python.robot:python_files", "python.transforms:python_transform_files"),
    "maxima": ("maxima.robot:maxima_files", "maxima.transforms:maxima_transform_files"),
    "casadi": ("casadi.robot:casadi_files", ""),
    "program": ("program.file:program_files", ""),
}
"""The module of each language's backend, for robots and for transforms; "" where it has none."""


def _imported_when_called(place: str) -> Callable[..., Any]:
    module, function = place.split(":")

    def files(programs: object, target: object) -> object:
        return getattr(import_module(f"{__package__}.{module}"), function)(programs, target)

    return files


BACKENDS: dict[str, Backend] = {
    language: _imported_when_called(robots) for language, (robots, _) in _LANGUAGES.items()
}

TRANSFORM_BACKENDS: dict[str, TransformBackend] = {
    language: _imported_when_called(transforms)
    for language, (_, transforms) in _LANGUAGES.items()
    if transforms
}

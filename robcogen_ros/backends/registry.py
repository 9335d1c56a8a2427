"""The target languages. A new one is listed here."""

from __future__ import annotations

from robcogen_ros.backends.backend import Backend, TransformBackend
from robcogen_ros.backends.c.files import c_files
from robcogen_ros.backends.c.transforms import c_transform_files
from robcogen_ros.backends.cpp.files import cpp_files
from robcogen_ros.backends.cpp.transforms import cpp_transform_files
from robcogen_ros.backends.maxima.robot import maxima_files
from robcogen_ros.backends.maxima.transforms import maxima_transform_files
from robcogen_ros.backends.octave.robot import octave_files
from robcogen_ros.backends.octave.transforms import octave_transform_files
from robcogen_ros.backends.python.robot import python_files
from robcogen_ros.backends.python.transforms import python_transform_files

BACKENDS: dict[str, Backend] = {
    "cpp": cpp_files,
    "c": c_files,
    "octave": octave_files,
    "python": python_files,
    "maxima": maxima_files,
}

TRANSFORM_BACKENDS: dict[str, TransformBackend] = {
    "cpp": cpp_transform_files,
    "c": c_transform_files,
    "octave": octave_transform_files,
    "python": python_transform_files,
    "maxima": maxima_transform_files,
}

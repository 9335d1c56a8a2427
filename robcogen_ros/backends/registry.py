"""The target languages. A new one is listed here."""

from __future__ import annotations

from robcogen_ros.backends.backend import Backend
from robcogen_ros.backends.cpp.files import cpp_files

BACKENDS: dict[str, Backend] = {"cpp": cpp_files}

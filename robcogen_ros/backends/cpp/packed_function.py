"""A function for double with limbs of equal shape side by side."""

from __future__ import annotations

from dataclasses import replace

from robcogen_ros.backends.cpp.function import CppFunction, cpp_function
from robcogen_ros.backends.cpp.text import DOUBLE, comment
from robcogen_ros.program.library import Library
from robcogen_ros.program.passes.vectorise import Vectorised


def packed_function(packed: Vectorised, name: str, library: Library) -> CppFunction:
    """A program on packs as a function of a given name."""
    program = library.ordered(packed.program)
    language = replace(DOUBLE, prefetching=library.prefetching)
    written = cpp_function(program, name, language=language, lanes=packed.lanes)
    limbs = (
        ", ".join(comment(library.robot.links[links[0]].name) for links in group.links)
        for group in library.limbs
    )
    return replace(written, limbs=tuple(limbs))

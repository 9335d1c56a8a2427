"""Contents of a header and a source of C, of a robot or of transforms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.c.text import LITERALS, identifiers
from robcogen_ros.backends.cpp.function import SELECTS, CppFunction
from robcogen_ros.backends.identifiers import comment
from robcogen_ros.backends.render import render


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Names for the entries of an array.

    Attributes:
        kind: What each of them is, in one word.
        meaning: What they are.
        entries: Identifier and explanation of each.
    """

    kind: str
    meaning: str
    entries: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls, kind: str, meaning: str, names: Sequence[str], explanations: Sequence[str] = ()
    ) -> Enumeration:
        """An enumeration of names of any kind, explained by themselves if by nothing else."""
        entries = zip(identifiers(names), map(comment, explanations or names), strict=True)
        return cls(kind, meaning, tuple(entries))


@dataclass(frozen=True, slots=True)
class Module:
    """A header and a source.

    Attributes:
        title: What they are.
        conventions: Lines on units, frames and the order of matrices.
        enumerations: Names for entries; their numbers become macros.
        defaults: Values of the parameters, None where there is none.
        functions: The functions, under their full names.
        constants: Number of values that functions need of the parameters.
    """

    title: str
    conventions: tuple[str, ...]
    enumerations: tuple[Enumeration, ...]
    defaults: tuple[Decimal | None, ...]
    functions: tuple[CppFunction, ...]
    constants: int = 0


def module_files(module: Module, target: Target) -> dict[PurePosixPath, str]:
    """Texts of both files, by path: `<project>_<name>.h` and `<project>_<name>.c`."""
    context = module_context(module, target)
    stem = context["stem"]
    return {
        PurePosixPath(f"{stem}.h"): render("c/header.h.jinja", context),
        PurePosixPath(f"{stem}.c"): render("c/source.c.jinja", context),
    }


def module_context(module: Module, target: Target) -> dict[str, object]:
    """Returns the variables of the templates of a module."""
    stem = target.prefix.rstrip("_")
    literal, nan = LITERALS[target.scalar], f"({target.scalar})NAN"
    return {
        "module": module,
        "model": comment(target.model),
        "scalar": target.scalar,
        "stem": stem,
        "macro": stem.upper(),
        "selects": any(SELECTS in function.uses for function in module.functions),
        "defaults": [nan if value is None else literal(value) for value in module.defaults],
    }

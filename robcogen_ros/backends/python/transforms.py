"""The Python module of coordinate transforms."""

from __future__ import annotations

from pathlib import PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.identifiers import comment, refuse_keywords
from robcogen_ros.backends.python.text import LANGUAGE, RESERVED, literal
from robcogen_ros.backends.render import render
from robcogen_ros.backends.transform_fields import Field
from robcogen_ros.backends.transform_scripts import transform_scripts
from robcogen_ros.model.scalars.operation import COS, SIN
from robcogen_ros.program.frame_transforms import TransformPrograms

_TAKEN = ("Variables", "Parameters", "NamedTuple")


def python_transform_files(programs: TransformPrograms, target: Target) -> dict[PurePosixPath, str]:
    """Text of the module, by path."""
    refuse_keywords([target.name], RESERVED, "Python")
    scripts = transform_scripts(programs, LANGUAGE, _TAKEN)
    operations = {
        s.node.operation for entry in programs.entries for s in entry.program.statements()
    }
    text = render(
        "python/transforms.py.jinja",
        {
            "model": comment(target.model),
            "uses": [o.name for o in (COS, SIN) if o in operations],
            "variables": _valued(scripts.variables),
            "parameters": _valued(scripts.parameters),
            "transforms": scripts.transforms,
        },
    )
    return {PurePosixPath(f"{target.name}.py"): text}


def _valued(fields: list[Field]) -> list[tuple[Field, str]]:
    return [(f, 'float("nan")' if f.value is None else literal(f.value)) for f in fields]

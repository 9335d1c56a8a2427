"""The Octave and MATLAB package of coordinate transforms: a function each."""

from __future__ import annotations

from pathlib import PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.identifiers import comment, refuse_keywords
from robcogen_ros.backends.octave.text import LANGUAGE, RESERVED, literal
from robcogen_ros.backends.render import render
from robcogen_ros.backends.transform_fields import Field
from robcogen_ros.backends.transform_scripts import transform_scripts
from robcogen_ros.program.frame_transforms import TransformPrograms

_FIELDS = {
    "variables": "What changes all the time, all zero.",
    "parameters": "What changes from time to time; NaN where the model gives no default.",
}


def octave_transform_files(programs: TransformPrograms, target: Target) -> dict[PurePosixPath, str]:
    """Texts of all files, by path."""
    refuse_keywords([target.name], RESERVED, "Octave")
    scripts = transform_scripts(programs, LANGUAGE, (*_FIELDS, target.name))
    package = PurePosixPath(f"+{target.name}")
    common = {"model": comment(target.model), "package": target.name}
    files = {
        package / f"{transform.name}.m": render(
            "octave/transform.m.jinja", {**common, "transform": transform}
        )
        for transform in scripts.transforms
    }
    for name, fields in (("variables", scripts.variables), ("parameters", scripts.parameters)):
        context = {"name": name, "meaning": _FIELDS[name], "fields": _valued(fields)}
        files[package / f"{name}.m"] = render("octave/fields.m.jinja", {**common, **context})
    return files


def _valued(fields: list[Field]) -> list[tuple[Field, str]]:
    return [(field, "NaN" if field.value is None else literal(field.value)) for field in fields]

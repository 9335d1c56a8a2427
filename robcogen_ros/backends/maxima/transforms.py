"""The Maxima file of coordinate transforms."""

from __future__ import annotations

from pathlib import PurePosixPath

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.identifiers import comment
from robcogen_ros.backends.maxima.text import LANGUAGE, TAKEN, valued
from robcogen_ros.backends.render import render
from robcogen_ros.backends.transform_scripts import transform_scripts
from robcogen_ros.program.frame_transforms import TransformPrograms


def maxima_transform_files(programs: TransformPrograms, target: Target) -> dict[PurePosixPath, str]:
    """Text of the file, by path."""
    scripts = transform_scripts(programs, LANGUAGE, TAKEN)
    context = {
        "model": comment(target.model),
        "variables": scripts.variables,
        "parameters": valued(scripts.parameters),
        "transforms": scripts.transforms,
    }
    path = PurePosixPath(f"{target.name}.mac")
    return {path: render("maxima/transforms.mac.jinja", context)}

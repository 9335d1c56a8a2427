"""Robots that stand, compiled with ground and whole-body controller."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import robcogen_ros
from robcogen_ros.formats.source import Source
from robcogen_ros.standing.footing import Footing

FUNCTIONS = ("total_mass", "inverse_dynamics", "inverse_dynamics_fully_actuated")
"""Functions that are called of a robot that stands, beside what its ground and its controller
call."""


def build_standing(
    model: str | Path | Source,
    arguments: Mapping[str, str],
    footing: Footing,
    loops: str | None = None,
    actuated: Sequence[str] = (),
    functions: Sequence[str] = (),
) -> Any:
    """A robot of whose file all that is odd is known, with ground and whole-body controller.

    That takes minutes the first time, and what is done is told in logs, too.

    Args:
        model: Its file.
        arguments: Of a xacro.
        footing: What it stands on.
        loops: File that says what closes its loops.
        actuated: Joints that motors move, where not as the files say.
        functions: More functions that are called.

    Raises:
        RobcogenError: If the model is wrong, or nothing can compile.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return robcogen_ros.build(
            None if isinstance(model, Source) else model,
            text=model.text if isinstance(model, Source) else None,
            xacro_args=arguments,
            loops=loops,
            floating_base=True,
            contacts=footing.names,
            terms=footing.terms,
            actuated=actuated,
            functions=(*FUNCTIONS, *functions),
            ground=True,
            whole_body=True,
            progress=True,
        )

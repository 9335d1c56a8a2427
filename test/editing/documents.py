"""Right documents of the four languages, and what they mean."""

from __future__ import annotations

import re
from pathlib import Path

from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import (
    ctdsl,
    ctdsl_writer,
    dtdsl,
    dtdsl_writer,
    motdsl,
    motdsl_writer,
)

HERE = Path(__file__).resolve().parents[2]
SEVERAL = """
Model ^rotx
Frames { a, ^PI, c, d }
Params lengths { l1, l2 }
Params angles { tilt }
Convention = fixed
a -> ^PI : trx (2.0 -x) rotz (-PI/2.0) roty (p:k[-0.5]) [first]
^PI -> c : try (lengths.l1[12.0]/2) trz (c:g:-9.81) rotx (0.5*angles.tilt)
c -> d : trx (-c:g) rotx (q)
"""


def _of_pages() -> dict[str, str]:
    found = {}
    for page in (*sorted((HERE / "docs").glob("*_dsl.md")), HERE / "docs/desired_transforms.md"):
        text = page.read_text()
        found.update(re.findall(r"```\w+ (\S+dsl)\n(.*?)```", text, re.DOTALL))
        robots = re.findall(r"```kindsl\n(.*?)```", text, re.DOTALL)
        found.update({f"{page.stem}{k}.kindsl": robot for k, robot in enumerate(robots)})
    return found


DOCUMENTS = {
    **{path.name: path.read_text() for path in sorted((HERE / "examples").glob("*.kindsl"))},
    "sound.kindsl": (HERE / "test/errors/sound.kindsl").read_text(),
    "several.motdsl": SEVERAL,
    **_of_pages(),
}


def meaning(name: str, text: str) -> tuple[str, list[tuple[str, str]]]:
    """What a document says, written by the writer of its language; what is odd about it."""
    source = Source(name, text)
    if name.endswith(".kindsl"):
        robot = kindsl.read(source)
        return kindsl_writer.write(robot), _said(robot.warnings)
    if name.endswith(".motdsl"):
        motions = motdsl.read(source)
        return motdsl_writer.write(motions), _said(motions.warnings)
    if name.endswith(".ctdsl"):
        transforms = ctdsl.read(source)
        return ctdsl_writer.write(transforms), _said(transforms.warnings)
    desired = dtdsl.read(source)
    return dtdsl_writer.write(desired), _said(desired.warnings)


def _said(problems) -> list[tuple[str, str]]:
    return sorted((problem.severity, problem.message) for problem in problems)

"""Documents from texts, and texts without what is only at their top."""

from __future__ import annotations

from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import ctdsl, dtdsl, motdsl


def motions(text: str):
    return motdsl.read(Source("m.motdsl", text))


def transforms(text: str):
    return ctdsl.read(Source("t.ctdsl", text))


def desired(text: str, **options):
    return dtdsl.read(Source("d.dtdsl", text), **options)


def relation_lines(text: str) -> list[str]:
    """The lines that say how frames relate, each with what continues it."""
    joined = text.replace("\n    ", " ")
    return [line for line in joined.splitlines() if " -> " in line or "_X_" in line]

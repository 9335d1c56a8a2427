"""Writing what the command generate makes, for which a folder has one robot."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from robcogen_ros.backends.identifiers import comment
from robcogen_ros.backends.render import write_changed
from robcogen_ros.cli.depfile import touch, write_depfile
from robcogen_ros.cli.model_options import warn
from robcogen_ros.cli.running import caller
from robcogen_ros.errors import Location, Problem, RobcogenError

_FUNCTIONS = re.compile(r'#include "(\w+)/(\w+)/functions.hpp"')

_HEAD = 8000
"""Characters of a file that say what it was made from."""


def write_generated(
    options: argparse.Namespace,
    files: Mapping[PurePosixPath, str],
    needed: Iterable[str],
    robot: str | None = None,
) -> None:
    """Write files into the output folder, then what build tools want to know of it.

    Args:
        options: Where to, and from which model.
        files: Texts by path below the output folder.
        needed: The files that they were made from.
        robot: The robot's name, if they are of one.

    Raises:
        RobcogenError: If a file cannot be written, or is there and of another model; then none is.
    """
    texts = {Path(options.output) / path: text for path, text in files.items()}
    if caller() != "cmake":  # which has a folder of its own for each target
        _refuse_another(texts, Path(options.model).name, robot)
        warn(_without_sources(texts, options))
    write_changed(texts)
    if options.depfile:
        write_depfile(Path(options.depfile), options.stamp or options.output, needed)
    if options.stamp:
        touch(Path(options.stamp))


def _without_sources(files: Mapping[Path, str], options: argparse.Namespace) -> Iterator[Problem]:
    """A warning that C++ sources of another name are replaced, whose headers stay."""
    model = Path(options.output) / "src" / "model.cpp"
    if model not in files or not model.is_file():
        return
    for project, name in _FUNCTIONS.findall(model.read_text(encoding="utf-8", errors="replace")):
        header = Path(options.output) / "include" / project / f"{name}.hpp"
        if header not in files and header.is_file():
            message = (
                f"the sources of {project}::{name} that were here are replaced, so "
                f"{header} has none any more: remove it; to have both, generate each into a folder "
                "of its own"
            )
            yield Problem(message, Location(str(model)), "warning")


def _refuse_another(files: Mapping[Path, str], model: str, robot: str | None) -> None:
    """Refuse to replace what was made from another model, or is no generated code at all.

    What a file to be written says of itself, one that is there has to say too.
    """
    said = [f"from {comment(model)}", f"model {comment(model)}"]
    said += [f"robot {comment(robot)}"] if robot else []
    for path, text in files.items():
        if not path.is_file():
            continue
        old = path.read_text(encoding="utf-8", errors="replace")
        if any(_says(text, words) and not _says(old, words) for words in said):
            of = f"robot '{robot}' in {model}" if robot else model
            raise RobcogenError(
                f"{path}: expected what was generated of {of}, found '{_described(old)}'; "
                "generate each model into a folder of its own, or remove what is there"
            )


def _says(text: str, words: str) -> bool:
    """Whether words stand in the head of a text, however its lines are broken and marked."""
    wanted = re.escape(_plain(words)) + r"(?!\w|[.-]\w)"
    return re.search(wanted, _plain(text[:_HEAD]), re.IGNORECASE) is not None


def _plain(text: str) -> str:
    return re.sub(r'[\s/%#*":]+', " ", text)


def _described(text: str) -> str:
    """The words in which a text says what it was made from, else its first ones."""
    plain = _plain(text[:_HEAD]).strip()
    said = re.search(r".{0,60}robcogen_ros from .{,80}?(?=\. Do not|, to be|$)", plain)
    return said[0].strip() if said else plain[:80] or "nothing"

"""Octave packages hold nothing that MATLAB does not take."""

from __future__ import annotations

import re

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS, TRANSFORM_BACKENDS
from robcogen_ros.program.frame_transforms import TransformPrograms
from robcogen_ros.program.library import Library
from robcogen_ros.transforms.convert import transforms as convert
from robcogen_ros.transforms.of_robot import motions
from test.support.examples import example

TARGET = Target("demo", "robot", "model.kindsl")
OCTAVE_ONLY = {
    "a comment with #": r"#",
    "double quotes": r'"',
    "an end with a name": r"\bend_?(function|if|for|while|switch|parfor|try|unwind)",
    "unwind_protect": r"\bunwind_protect",
    "do and until": r"\b(do|until)\b",
    "increments": r"\+\+|--",
    "an operator that assigns": r"[-+*/^|&]=",
    "two stars": r"\*\*",
    "! for not": r"!",
    "printf": r"\bprintf\b",
    "chained assignment": r"(?<![=~<>])=(?!=)[^\n;]*(?<![=~<>])=(?!=)",
    "a name that begins with _": r"(?<![A-Za-z0-9_])_\w",
    "a name that is too long": r"[A-Za-z_]\w{63}",
    "an index of a result": r"\)\s*[({]",
}


def texts() -> dict[str, str]:
    """All files that are written, of robots with every feature and of transforms."""
    files = {}
    for floating in (False, True):
        robot = example("fancy", floating_base=floating)
        pair = robot.frame_names[0], robot.frame_names[-1]
        library = Library(robot, ["all"], ["_X_".join(pair), "_J_".join(pair)])
        for path, text in BACKENDS["octave"](library, TARGET).items():
            files[f"fancy {floating} {path}"] = text
    document = motions(example("hyl"))
    for path, text in TRANSFORM_BACKENDS["octave"](
        TransformPrograms(convert(document)), TARGET
    ).items():
        files[f"hyl {path}"] = text
    return files


def code(text: str) -> str:
    """A file without its comments, continued lines joined, and text emptied."""
    joined = re.sub(r"\.\.\.\n\s*", "", text)
    emptied = re.sub(r"(?<![\w\])}.'])'(''|[^'\n])*'", "''", joined)
    return re.sub(r"%.*", "", emptied)


@pytest.fixture(scope="module")
def files() -> dict[str, str]:
    return texts()


@pytest.mark.slow
@pytest.mark.parametrize("found", OCTAVE_ONLY)
def test_nothing_of_octave_alone(found, files):
    assert len(files) > 60
    for path, text in files.items():
        match = re.search(OCTAVE_ONLY[found], code(text))
        assert match is None, (path, match)


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ("a comment with #", "x = 1; # one"),
        ("double quotes", 'x = "one";'),
        ("an end with a name", "endfunction"),
        ("increments", "x++;"),
        ("an operator that assigns", "x += 1;"),
        ("two stars", "x = y ** 2;"),
        ("! for not", "if !x"),
        ("chained assignment", "H(1, 2) = H(2, 1) = t1;"),
        ("a name that begins with _", "x = _y;"),
        ("a name that is too long", f"x = {'y' * 64};"),
        ("an index of a result", "x = f(1)(2);"),
    ],
)
def test_the_scan_finds(found, line):
    assert re.search(OCTAVE_ONLY[found], code(line))


def test_comparisons_and_text_are_no_mistakes(files):
    fine = "if a == b && c ~= d\n  x = 'a = b = c # \"';  % x = y = z\nend\ny = A';\n"
    assert not any(re.search(pattern, code(fine)) for pattern in OCTAVE_ONLY.values())


def test_every_file_is_a_function_of_its_name(files):
    for path, text in files.items():
        name = path.rsplit("/", 1)[1].removesuffix(".m")
        head = re.match(r"function (?:\[[\w, ]+\]|\w+) = (\w+)\([\w, ]*\)\n% (\w+)  ", text)
        assert head and head[1] == head[2] == name, path
        words = re.findall(r"^\s*(function|if|for|while|switch|end)\b", code(text), re.MULTILINE)
        assert words.count("end") * 2 == len(words), path

"""Transforms in Python, Octave and Maxima give the numbers of plain products of matrices."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import TRANSFORM_BACKENDS
from robcogen_ros.cli.main import main
from robcogen_ros.program.frame_transforms import KINDS, TransformPrograms
from robcogen_ros.transforms.convert import transforms as convert
from test.transforms.documents import motions
from test.transforms.random_documents import PARAMETERS, VARIABLES, of_kind, random_motions

KEYS = {key.removeprefix("p:"): value for key, value in PARAMETERS.items()}
TARGET = Target("site", "crane", "crane.motdsl")
TEXT = """Params g { m }
Convention = local
f0 -> f1 : trz (2.5) rotz (a) roty (b) trx (PI/4)
f1 -> f2 : trx (g.m) roty (-b) trz (-0.5*c) rotx (PI/2.0) rotz (2.0 a)
f3 -> f0 : rotx (p:k) try (c) rotz (b)
"""
ODD = """Model m
Frames { lambda, function, block, float, far }
Params for { while } Params _lead { _m }
Convention = local
lambda -> function : rotz (class) trx (i) try (for.while[0.5]) rotx (matrix) [sin]
function -> block : roty (end) trz (p:if[2.0]) rotz (simp) [block]
float -> far : rotx (LONG_a) trx (LONG_b)
block -> float : trx (float) roty (numer) trz (_lead._m) rotx (crane) [crane]
""".replace("LONG", "long" * 40)


def files(programs: TransformPrograms, language: str, folder: Path) -> Path:
    for path, text in TRANSFORM_BACKENDS[language](programs, TARGET).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


def expected(document, entry, poses):
    left, right = (poses[frame] for frame in (entry.relation.left, entry.relation.right))
    kind = next(name for name, kind in KINDS.items() if kind is entry.kind)
    return of_kind(kind, np.linalg.solve(left, right))


def python_module(programs: TransformPrograms) -> dict:
    (text,) = TRANSFORM_BACKENDS["python"](programs, TARGET).values()
    names: dict = {}
    exec(compile(text, "crane.py", "exec"), names)
    return names


def arguments(programs: TransformPrograms) -> tuple[list[float], list[float]]:
    variables = [VARIABLES[symbol.name] for symbol in programs.variables]
    return variables, [KEYS[symbol.key] for symbol in programs.parameters]


@pytest.mark.slow
@settings(max_examples=15)
@given(random_motions())
def test_python_equals_the_product_of_matrices(document):
    programs = TransformPrograms(convert(motions(document.text)))
    module = python_module(programs)
    variables, parameters = arguments(programs)
    for entry in programs.entries:
        X = module[entry.name](module["Variables"](*variables), module["Parameters"](*parameters))
        assert pytest.approx(expected(document, entry, document.poses), abs=1e-12) == X


def test_python_takes_arrays():
    programs = TransformPrograms(convert(motions(TEXT)))
    module = python_module(programs)
    _, parameters = arguments(programs)
    given = module["Parameters"](*parameters)
    a, b, c = np.linspace(0, 1, 6).reshape(2, 3), np.array([0.1, 0.2, 0.3]), -2.0
    for entry in programs.entries:
        X = module[entry.name](module["Variables"](a, b, c), given)
        for k in np.ndindex(2, 3):
            alone = module[entry.name](module["Variables"](a[k], b[k[1]], c), given)
            assert np.array_equal(np.broadcast_to(X, (2, 3, *alone.shape))[k], alone)


def test_python_names_are_never_keywords():
    programs = TransformPrograms(convert(motions(ODD)))
    (text,) = TRANSFORM_BACKENDS["python"](programs, TARGET).values()
    ast.parse(text)
    module = python_module(programs)
    assert module["Parameters"]()[0] == 0.5


def test_files_of_functions_differ_by_more_than_case():
    document = motions("Convention = local a -> B : rotz(x) A -> b : rotz(y)")
    paths = TRANSFORM_BACKENDS["octave"](TransformPrograms(convert(document)), TARGET)
    assert len({str(path).lower() for path in paths}) == len(paths) == 4 * 4 + 2


@pytest.mark.parametrize(
    ("language", "name"),
    [("python", "lambda"), ("octave", "end"), ("cpp", "class"), ("cpp", "linux"), ("cpp", "std")],
)
def test_words_of_the_language_name_nothing(language, name, tmp_path, capsys):
    document = tmp_path / "crane.motdsl"
    document.write_text(TEXT)
    words = ["generate", str(document), "--target", language, "--name", name]
    assert main([*words, "-o", str(tmp_path / "out")]) == 1
    assert f"'{name}' is a word of" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def tool(*names: str) -> str:
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip(f"{' or '.join(names)} is not installed")
    return found


def run(command: list[str], folder: Path, program: str) -> list[list[float]]:
    done = subprocess.run(
        command, input=program, capture_output=True, text=True, cwd=folder, timeout=120
    )
    assert done.returncode == 0, done.stderr
    lines = re.findall(r"^numbers (.*)$", done.stdout, re.MULTILINE)
    return [[float(x) for x in re.findall(r"[^\s,\[\]]+", line)] for line in lines]


def references(programs: TransformPrograms) -> list[list[float]]:
    """The Python module's numbers, which the tests above hold to the product of matrices."""
    module = python_module(programs)
    given = [0.3 + 0.1 * i for i in range(len(programs.variables))]
    values = [1.5 - 0.2 * i for i in range(len(programs.parameters))]
    call = module["Variables"](*given), module["Parameters"](*values)
    python = [f for name, f in module.items() if re.search(r"_(X|XM|XF|R)_", name) and callable(f)]
    return [list(f(*call).ravel(order="F")) for f in python]


@pytest.mark.parametrize("text", [TEXT, ODD], ids=["plain", "keywords"])
def test_octave_gives_the_same_numbers(text, tmp_path):
    octave = tool("octave-cli", "octave")
    programs = TransformPrograms(convert(motions(text)))
    files(programs, "octave", tmp_path)
    lines = ["v = crane.variables(); p = crane.parameters();"]
    for letter, start, step in (("v", 0.3, 0.1), ("p", 1.5, -0.2)):
        lines.append(f"n = fieldnames({letter}); for k = 1:numel(n)")
        lines.append(f"{letter}.(n{{k}}) = {start} + {step} * (k - 1); end")
    names = python_names(programs)
    lines += [f"printf('numbers %s\\n', sprintf('%.17g ', crane.{n}(v, p)));" for n in names]
    found = run([octave, "--no-gui", "--norc", "--quiet"], tmp_path, "\n".join(lines))
    compare(found, references(programs))


@pytest.mark.parametrize("text", [TEXT, ODD], ids=["plain", "keywords"])
def test_maxima_gives_the_same_numbers(text, tmp_path):
    maxima = tool("maxima")
    programs = TransformPrograms(convert(motions(text)))
    files(programs, "maxima", tmp_path)
    v = ", ".join(str(0.3 + 0.1 * i) for i in range(len(programs.variables)))
    p = ", ".join(str(1.5 - 0.2 * i) for i in range(len(programs.parameters)))
    lines = ['load("./crane.mac")$', "linel : 100000$", "fpprintprec : 17$"]
    for name in python_names(programs):
        call = f"flatten(args(transpose({name}([{v}], [{p}]))))"
        lines.append(f'print("numbers", string(float({call})))$')
    found = run([maxima, "--very-quiet"], tmp_path, "\n".join(lines))
    compare(found, references(programs))


def python_names(programs: TransformPrograms) -> list[str]:
    """Names of the functions in order, which are those of every language here."""
    return [n for n in python_module(programs) if re.search(r"^[a-z].*_(X|XM|XF|R)_", n)]


def compare(found: list[list[float]], right: list[list[float]]) -> None:
    assert len(found) == len(right) > 0
    for ours, theirs in zip(found, right, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-13)

"""Feeds mutated documents to a reader: `python -m test.fuzz kindsl --minutes 10`.

Every document must be read, or refused by located messages, within the time limit. One that is
not is written to a file, with its traceback, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source, decode
from robcogen_ros.formats.transforms import ctdsl, ctdsl_writer, dtdsl, motdsl, motdsl_writer
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce
from robcogen_ros.progress import Task, shown, task
from robcogen_ros.transforms.convert import transforms
from test.fuzz.mutate import mutated

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("test", "examples")
SLOWEST = 10


def main() -> int:
    """Runs it; 1 if something was found."""
    parser = argparse.ArgumentParser(prog="python -m test.fuzz", description=__doc__)
    parser.add_argument("language", choices=sorted(READERS))
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"))
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _too_slow)
    chance = random.Random(f"{options.language} {options.seed}")
    seeds = _seeds(options.language)
    sound = [text for text in seeds if _is_sound(options.language, text)] or seeds
    read = refused = found = 0
    slowest = 0.0
    for step in _turns(60 * options.minutes):
        text = mutated(chance.choice(chance.choice((seeds, sound))), chance, seeds)
        start = time.perf_counter()
        try:
            outcome = _outcome(options.language, text)
        except Exception:
            found += 1
            _keep(options, text, found)
            step.tell(f"{found} found")
            continue
        finally:
            signal.alarm(0)
        slowest = max(slowest, time.perf_counter() - start)
        read, refused = read + outcome, refused + (not outcome)
    counts = f"{read} read, {refused} refused, {found} found"
    print(f"{options.language}: {counts}, slowest {slowest:.2f} s")
    return 1 if found else 0


def _turns(seconds: float) -> Iterator[Task]:
    """Turns until time is over."""
    end = time.monotonic() + seconds
    with shown(True), task("trying", unit="documents") as step:
        while time.monotonic() < end:
            yield step
            step.advance()


def _seeds(language: str) -> list[bytes]:
    """Documents of the language, good and bad, none longer than is quick to read."""
    files = [p for f in FOLDERS for p in (ROOT / f).glob(f"**/*.{language}") if p.is_file()]
    block = re.compile(rf"```\w+ \S+\.{language}\n(.*?)```", re.DOTALL)
    pages = sorted((ROOT / "docs").glob("*.md"))
    texts = [p.read_bytes() for p in sorted(files)]
    texts += [found.encode() for p in pages for found in block.findall(p.read_text("utf-8"))]
    return [text for text in texts if len(text) < 20_000]


def _is_sound(language: str, text: bytes) -> bool:
    try:
        return _outcome(language, text)
    except Exception:
        return False
    finally:
        signal.alarm(0)


def _outcome(language: str, text: bytes) -> bool:
    """Whether a document was read; it is refused only with located messages."""
    signal.alarm(SLOWEST)
    name = f"any.{'urdf.xacro' if language == 'xacro' else language}"
    try:
        READERS[language](decode(text, name))
    except ModelError as error:
        assert error.problems
        assert all(problem.location is not None for problem in error.problems), str(error)
        return False
    return True


def _robot(source: Source) -> None:
    description = load(source)
    problems = check(description)
    if any(problem.severity == "error" for problem in problems):
        raise ModelError(problems)
    reduce(description)
    if source.name.endswith("kindsl"):
        once = kindsl_writer.write(description)
        assert kindsl_writer.write(load(Source("again.kindsl", once))) == once


def _motions(source: Source) -> None:
    document = motdsl.read(source)
    once = motdsl_writer.write(document)
    assert motdsl_writer.write(motdsl.read(Source("again.motdsl", once))) == once
    if len(document.frames) < 20:
        ctdsl.read(Source("again.ctdsl", ctdsl_writer.write(transforms(document))))


def _transforms(source: Source) -> None:
    once = ctdsl_writer.write(ctdsl.read(source))
    assert ctdsl_writer.write(ctdsl.read(Source("again.ctdsl", once))) == once


READERS: dict[str, Callable[[Source], object]] = {
    "kindsl": _robot,
    "urdf": _robot,
    "xacro": _robot,
    "motdsl": _motions,
    "ctdsl": _transforms,
    "dtdsl": dtdsl.read,
}


def _keep(options: argparse.Namespace, text: bytes, number: int) -> None:
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"{number}.{options.language}"
    path.write_bytes(text)
    path.with_suffix(f".{options.language}.txt").write_text(traceback.format_exc())
    print(f"{path}: {traceback.format_exc().splitlines()[-1][:300]}", flush=True)


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"longer than {SLOWEST} s")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

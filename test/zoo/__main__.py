"""Strangers' robots, one process each: read, computed beside Pinocchio and MuJoCo, written.

    python -m test.zoo DIR [PART ...]    # what robots.txt lists of the repositories DIR/OWNER/NAME
    python -m test.zoo DIR --all         # every .urdf and .kindsl under DIR

Results are kept in DIR/zoo.jsonl, a line a description; those that are there are not tried again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from test.zoo import packages
from test.zoo.steps import PEERS

LIST = Path(__file__).with_name("robots.txt")
_FINE = ("good", "refused")
SECONDS = 400
"""Wall-clock time that a description may take."""


def main() -> int:
    """Tries what was not tried, and prints the table; 1 if something of ours is wrong."""
    options = _options()
    results = options.results or options.folder / "zoo.jsonl"
    lines = _every(options.folder) if options.all else _listed(LIST)
    lines = [line for line in lines if _named(line, options.parts)]
    done = {} if options.again else _kept(results)
    left = [line for line in lines if line not in done]
    with results.open("a") as kept, ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(partial(_tried, options.folder), left):
            kept.write(json.dumps(found) + "\n")
            kept.flush()
            print(_row(found), file=sys.stderr, flush=True)
    done = _kept(results)
    rows = [done[line] for line in lines]
    print(*_table(rows), sep="\n")
    return 1 if any(_outcome(row).startswith("WRONG") for row in rows) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m test.zoo", description=__doc__)
    parser.add_argument("folder", type=Path, help="has the repositories, OWNER/NAME each")
    parser.add_argument("parts", nargs="*", help="parts of the lines to take")
    parser.add_argument("--all", action="store_true", help="every .urdf and .kindsl")
    parser.add_argument("--again", action="store_true", help="also what was tried")
    parser.add_argument("--jobs", type=int, default=1, help="descriptions at a time")
    parser.add_argument("--results", type=Path, help="file for the results")
    return parser.parse_args()


def _listed(path: Path) -> list[str]:
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def _every(folder: Path) -> list[str]:
    files = (path for suffix in ("urdf", "kindsl") for path in folder.rglob(f"*.{suffix}"))
    return sorted(str(path.relative_to(folder)) for path in files if path.is_file())


def _named(line: str, parts: Iterable[str]) -> bool:
    return not parts or any(part in line for part in parts)


def _kept(results: Path) -> dict[str, dict]:
    """Results by their lines; the last of each."""
    lines = results.read_text("utf-8").splitlines() if results.is_file() else []
    return {found["line"]: found for found in map(json.loads, lines)}


def _tried(folder: Path, line: str) -> dict:
    """What comes of a line of the list."""
    path, *arguments = line.split() if ":=" in line else [line]
    repository = Path(*Path(path).parts[:2])
    prefix = folder / "workspaces" / str(repository).replace("/", "+")
    if not prefix.exists():
        packages.workspace([folder / repository, *sorted(folder.glob("*/*"))], prefix)
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "test.zoo.steps", str((folder / path).resolve()), *arguments],
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
            env=packages.sourced(prefix),
        )
        try:
            output, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
        told.seek(0)
        end = f"exit {process.returncode}: {told.read()[-2000:]}" if process.returncode else ""
    steps = [json.loads(text) for text in output.splitlines() if text.startswith('{"name"')]
    seconds = round(time.monotonic() - start, 1)
    return {"line": line, "seconds": seconds, "end": end, "steps": steps}


def _outcome(found: dict) -> str:
    """One line about a description; what is wrong with us begins with WRONG."""
    steps = found["steps"]
    if found["end"]:
        return f"WRONG: ends after {steps[-1]['name'] if steps else 'the start'}"
    ours = [step for step in steps if step["name"] not in PEERS]
    if bad := [f"{s['name']} {s['outcome']}" for s in ours if s["outcome"] not in _FINE]:
        return f"WRONG: {', '.join(bad)}"
    refused = [step["name"] for step in steps if step["outcome"] != "good"]
    peers = " and ".join(name.removesuffix(" reads") for name in refused if name in PEERS)
    left_out = ", ".join(name for name in refused if name not in PEERS)
    if left_out == "check":
        return f"refused, by {peers} too" if peers else "refused by us alone"
    return "good" + f", no {left_out}" * bool(left_out) + f"; {peers} refuses" * bool(peers)


def _row(found: dict) -> str:
    return f"| {found['line']} | {_outcome(found)} | {found['seconds']:.0f} |"


def _table(rows: list[dict]) -> Iterator[str]:
    yield "| description | outcome | seconds |"
    yield "|---|---|---|"
    yield from map(_row, rows)
    yield ""
    yield "| outcome | descriptions |"
    yield "|---|---|"
    for outcome, count in Counter(map(_outcome, rows)).most_common():
        yield f"| {outcome} | {count} |"


if __name__ == "__main__":
    sys.exit(main())

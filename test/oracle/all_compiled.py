"""Compares every robot with Pinocchio, compiled, and prints a table.

    python -m test.oracle.all_compiled [--backend numpy] [--jobs 2] [robot ...]

A robot is part of a file's name; all of them without one. Exit 1 if any result is wrong. What was
compiled is kept; ROBCOGEN_CXXFLAGS=-O0 in the environment takes minutes instead of an hour.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor

from test.oracle.comparison import Comparison, compare
from test.support.robots import REFUSED, UNREADABLE, oracle_robots

_HEADER = f"{'robot':44} {'base':8} {'n':>3} {'build s':>8} {'largest':>8} {'FD resid.':>9}"


def main() -> int:
    """Run the comparisons; the exit code."""
    options = _options()
    names = [n for n in oracle_robots() if not options.robots or _named(n, options.robots)]
    print(_HEADER)
    failures = 0
    with ProcessPoolExecutor(max_workers=options.jobs) as pool:
        running = [
            (name, floating, pool.submit(compare, name, floating, options.backend))
            for name in names
            for floating in (False, True)
        ]
        for name, floating, future in running:
            line, good = _line(name, floating, future)
            failures += not good
            print(line, flush=True)
    for name, reason in {**UNREADABLE, **REFUSED}.items():
        print(f"{_short(name):44} not compared: {reason}")
    print(f"{len(running) - failures} of {len(running)} equal Pinocchio")
    return 1 if failures else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robots", nargs="*", help="parts of file names")
    parser.add_argument("--backend", default="cpp", choices=["cpp", "numpy"])
    parser.add_argument("--jobs", type=int, default=2, help="robots at a time")
    return parser.parse_args()


def _named(name: str, parts: Iterable[str]) -> bool:
    return any(part in name for part in parts)


def _short(name: str) -> str:
    return name.rpartition("/")[2]


def _line(name: str, floating: bool, future: Future[Comparison]) -> tuple[str, bool]:
    """A robot's row of the table, and whether all its results are right."""
    start = f"{_short(name):44} {'floating' if floating else 'fixed':8}"
    try:
        found = future.result()
    except Exception as error:
        return f"{start} {type(error).__name__}: {error}", False
    exact = max((e for f, e in found.errors.items() if not f.startswith("forward")), default=0.0)
    residual = found.errors.get("forward_dynamics")
    dynamics = "refused" if residual is None else f"{residual:.1e}"
    row = f"{start} {found.n:3} {found.build_seconds:8.1f} {exact:8.1e} {dynamics:>9}"
    wrong = "".join(f"  WRONG {f} {e:.1e}" for f, e in found.wrong.items())
    return row + wrong, not found.wrong


if __name__ == "__main__":
    sys.exit(main())

"""Measures, prints the tables and writes them to bench/results.md, or to another file (--results).

    python -m bench [comparison] [robots] [functions] [batch] [tail] [operations] [passes]
                    [accuracy] [scaling] [loops] [sizes] [desired] [python]

comparison: `robcogen bench` over many robots: ours beside Pinocchio, the code that CppADCodeGen
generates for Pinocchio, KDL and MuJoCo, as docs/performance.md tells. We allow ourselves half of
Pinocchio's instructions. Last, for the README, how many times as long as ours others take, with
full / empty caches. Charts go to build/bench.

robots: the dynamics of the robots of example-robot-data with 4 to 18 coordinates, on the base that
their files have: our nanoseconds a call, and how many times as long Pinocchio takes with full /
empty caches. Robots whose angles are not quite right ones have a second row, with right ones for
both. The ratios that we are out for are `robots.LIMITS`.

functions: those that Pinocchio has beside the dynamics, by both; ours are to be the faster ones,
with full and with empty caches.

batch: nanoseconds a state of our calls for 8 and for 64 states, on one core, compiled for AVX-512
and for AVX2, a state's numbers together or in columns, and how many times as long Pinocchio's call
for one state takes.

tail: how long single calls take, the longest of a million; as docs/performance.md tells.

operations: multiplications with divisions, and additions with subtractions, of our programs and of
the code that CppADCodeGen makes of Pinocchio's algorithms, in the better of its conventions and
with right angles made exact for it too. Signs, sines and cosines are not counted. We allow
ourselves the ratios of `operations.LIMITS`. Then arms of the literature, beside what was published,
and all our operations with one means of saving after the other, each with those before it (net
forces have minimal inertias of their own).

passes: all operations, sines and cosines too, of each function by all means of saving, and by all
but one.

accuracy: the rounding errors of our compiled code and of Pinocchio's own library, of all functions
that both have, at the same random states of ten robots (--states N), against textbook algorithms
with 50 digits. An entry's error at a state is relative to its largest value over the states or, in
the inertia matrix, to sqrt(H_ii H_jj) at that state, likewise in its inverse; the error at a state
is that of the worst entry. We allow ourselves twice Pinocchio's largest error and 1.2 times its
median.

scaling: seconds to generate and to compile each function of random trees, and whole real robots,
nothing kept from earlier runs, against what we allow ourselves on two idle cores.

loops: functions of random trees as straight-line code and in loops over a table, both in one run,
and which of them is generated: not one that takes 1.2 times as long as the other.

sizes: seconds of CPU time to compile each function alone, and its code and constants in bytes, by
-O2: the usual form and, where arguments are optional, the general one together.

desired: seconds to generate the 16 Jacobians and 53 transforms of HyQ, from a Kinematics-DSL
document, alone and with all dynamics; the original took 50 s on a machine of 2016.

python: microseconds of CPU time of a generated Python module, one call and a state of a batch of
10 000, beside Pinocchio's Python bindings, one call and a turn of a loop. The results are checked
to agree first.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from statistics import median

import pinocchio

from bench import (
    accuracy,
    batch,
    comparison,
    desired,
    loops,
    operations,
    passes,
    python_module,
    robots,
    scaling,
    sizes,
    tail,
)
from robcogen_ros.bench import table
from robcogen_ros.bench.batch import ways
from robcogen_ros.bench.comparison import Row
from robcogen_ros.bench.compilers import compilers, flags, version
from robcogen_ros.bench.meter import machine

Part = Callable[[list[str]], Iterator[str]]
"""Yields lines of its tables, and appends what exceeds its limit."""

_RESULTS = Path(__file__).parent / "results.md"


def main() -> int:
    """Measure; the exit code is 1 if a result exceeds its limit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = {
        "comparison": _comparison,
        "robots": _robots,
        "functions": _functions,
        "batch": _batch,
        "tail": _tail,
        "operations": _operations,
        "passes": _passes,
        "accuracy": lambda exceeded: _accuracy(exceeded, arguments.states),
        "scaling": _scaling,
        "loops": _loops,
        "sizes": _sizes,
        "desired": _desired,
        "python": _python,
    }
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="all by default")
    parser.add_argument("--states", type=int, default=accuracy.COUNT, help="of accuracy")
    parser.add_argument("--results", type=Path, default=_RESULTS, help="where tables go")
    arguments = parser.parse_args()
    chosen = arguments.parts or list(parts)
    exceeded: list[str] = []
    for name in chosen:
        _measure(name, parts[name], arguments.results, exceeded)
    print(f"\nwritten to {os.path.relpath(arguments.results)}")
    for text in exceeded:
        print(f"beyond its limit: {text}", file=sys.stderr)
    return 1 if exceeded else 0


def _measure(name: str, part: Part, results: Path, exceeded: list[str]) -> None:
    """Run one part; what it had measured is kept where it stops."""
    lines: list[str] = []
    try:
        for line in part(exceeded):
            print(line, flush=True)
            lines.append(line)
            _keep(name, lines, results)
    except Exception:
        traceback.print_exc()
        exceeded.append(f"{name}: it stopped")


def _comparison(exceeded: list[str]) -> Iterator[str]:
    yield from _conditions()
    yield from table.markdown_head()
    measured: list[tuple[str, list[Row]]] = []
    for title, rows in comparison.rows(exceeded):
        yield from table.markdown(rows, title)
        measured.append((title, rows))
    yield ""
    yield from _table_head(("", "", *comparison.PEER_TITLES))
    for title, rows in measured:
        yield _line(title, f"`{rows[0].function}`", *comparison.ratios(rows))
    comparison.draw(measured)


def _robots(exceeded: list[str]) -> Iterator[str]:
    yield from _conditions()
    yield from _table_head(("robot", "coordinates", *(f"`{name}`" for name in robots.LIMITS)))
    for times in robots.rows():
        cells = (
            f"{ours.hot:.1f} ns: {theirs.hot / ours.hot:.1f} / {theirs.cold / ours.cold:.1f}"
            for ours, theirs in times.rows.values()
        )
        yield _line(times.robot, str(times.coordinates), *cells)
        exceeded += times.below()


def _functions(exceeded: list[str]) -> Iterator[str]:
    yield from _conditions()
    yield from table.markdown_head()
    for title, rows in comparison.other_rows(exceeded):
        yield from table.markdown(rows, title)


def _batch(exceeded: list[str]) -> Iterator[str]:
    yield from _conditions()
    sets = ways()
    names = list(sets)
    own = (text for name in names for text in (f"{name}, ns a state", "times"))
    head = ("robot", "function", "states a call", f"{batch.PEER} ns", "one state ns")
    yield from _table_head((*head, *own))
    for title, row in batch.rows():
        theirs = row.theirs.get(batch.PEER)
        times = {name: theirs / row.states[name] if theirs else None for name in names}
        for name, ratio in times.items():
            if ratio is not None and ratio < batch.LIMITS.get(sets[name], 0):
                what = f"{title}, {row.function}, {row.count} states, {name}"
                exceeded.append(f"{what}: {ratio:.1f} times")
        cells = (
            text for name in names for text in (f"{row.states[name]:.1f}", _times(times[name]))
        )
        single = f"{row.single:.1f}"
        yield _line(title, row.function, str(row.count), _times(theirs), single, *cells)


def _tail(exceeded: list[str]) -> Iterator[str]:
    yield from _conditions()
    yield from _table_head(("robot", "ns of a single call", *table.TAIL_HEAD))
    for title, function, tails in tail.rows():
        for name, cells in table.tail_cells(function, tails):
            yield _line(title, name, *cells)


def _conditions() -> Iterator[str]:
    """The machine, compilers and flags."""
    who = ", ".join(map(version, compilers()))
    yield f"{machine()}; the better of {who}; `{' '.join(flags())}`."
    yield ""


def _times(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _operations(exceeded: list[str]) -> Iterator[str]:
    rows = list(operations.rows())
    if not any(row.theirs for row in rows):
        yield "CppADCodeGen's columns: SKIPPED, its headers (cmeel-cppadcodegen) are not installed."
        yield ""
    header = ("robot", "function", "multiplications / additions", "Pinocchio + CppADCodeGen")
    yield from _table_head((*header, "ratio", "allowed"))
    for row in rows:
        limit = operations.LIMITS[row.function]
        theirs = row.theirs.total if row.theirs else None
        if theirs is not None and row.ours.total > limit * theirs:
            exceeded.append(f"{row.robot}, {row.function}: over {limit} of CppADCodeGen's")
        ratio = _ratio(row.ours.total, theirs)
        yield _line(
            row.robot, row.function, str(row.ours), str(row.theirs or "-"), ratio, str(limit)
        )
    yield ""
    yield from _table_head(
        ("inverse dynamics of", "multiplications / additions", "published (unchecked)")
    )
    for title, count, published in operations.published_rows():
        yield _line(title, str(count), published)
    yield ""
    yield from _table_head(("robot", "function", *operations.MEANS))
    for title, function, totals in operations.savings():
        yield _line(title, function, *map(str, totals))


def _passes(exceeded: list[str]) -> Iterator[str]:
    yield from _table_head(("robot", "function", *passes.SWITCHES))
    for title, function, counts in passes.rows():
        yield _line(title, function, *map(str, counts))


def _accuracy(exceeded: list[str], count: int) -> Iterator[str]:
    yield f"{count} states, {_machine()}, Pinocchio {pinocchio.__version__}."
    yield ""
    header = ("robot", "function", "median error", "Pinocchio's", "ratio")
    yield from _table_head((*header, "largest error", "Pinocchio's", "ratio"))
    for row in chain.from_iterable(accuracy.rows(count)):
        pairs = [(kind(row.ours), kind(row.theirs)) for kind in (median, max)]
        for (ours, theirs), limit in zip(pairs, accuracy.LIMITS, strict=True):
            if ours > limit * theirs:
                exceeded.append(f"{row.robot}, {row.function}: over {limit} of Pinocchio's error")
        numbers = (text for a, b in pairs for text in (f"{a:.1e}", f"{b:.1e}", _ratio(a, b)))
        yield _line(row.robot, row.function, *numbers)


def _scaling(exceeded: list[str]) -> Iterator[str]:
    yield f"{_machine()}."
    yield ""
    yield from _table_head(("joints", "function", "operations", "generate s", "compile s"))
    for row in scaling.rows():
        times = (f"{row.generate:.2f}", f"{row.compile:.2f}")
        operations = "in loops" if row.operations is None else str(row.operations)
        yield _line(str(row.joints), row.function, operations, *times)
    yield ""
    yield from _table_head(("all functions of", "seconds", "allowed", "CPU seconds"))
    for whole in scaling.whole_robots():
        if whole.seconds > whole.limit:
            exceeded.append(f"{whole.title}: {whole.seconds:.1f} s to build")
        cells = (f"{whole.seconds:.1f}", str(whole.limit), f"{whole.cpu_seconds:.1f}")
        yield _line(whole.title, *cells)


def _loops(exceeded: list[str]) -> Iterator[str]:
    yield f"{machine()}; {version(compilers()[0])}; `{' '.join(flags())}`."
    yield ""
    header = ("function", "joints", "form", "generated", "hot ns", "cold ns", "bytes", "compile s")
    yield from _table_head(header)
    for function, joints, forms in loops.rows():
        chosen = next(form for form in forms if form.chosen)
        for form in forms:
            times = (f"{form.hot:.0f}", f"{form.cold:.0f}")
            made = (str(form.bytes), f"{form.compile_seconds:.2f}")
            generated = "yes" if form.chosen else "no"
            yield _line(function, str(joints), form.name, generated, *times, *made)
        if chosen.time > loops.LIMIT * min(form.time for form in forms):
            exceeded.append(f"{function} of {joints} joints: the slower form is chosen")


def _sizes(exceeded: list[str]) -> Iterator[str]:
    yield f"{_machine()}."
    yield ""
    yield from _table_head(("robot", "function", "operations", "compile s", "bytes"))
    for row in sizes.rows():
        cells = (str(row.operations), f"{row.seconds:.2f}", str(row.bytes))
        yield _line(row.robot, row.function, *cells)


def _desired(exceeded: list[str]) -> Iterator[str]:
    yield f"{_machine()}."
    yield ""
    yield from _table_head(("generated", "CPU seconds", "allowed", "seconds", "lines"))
    for row in desired.rows():
        if row.cpu_seconds > desired.LIMIT:
            exceeded.append(f"{row.title}: {row.cpu_seconds:.1f} s to generate")
        times = (f"{row.cpu_seconds:.1f}", str(desired.LIMIT), f"{row.seconds:.1f}")
        yield _line(row.title, *times, str(row.lines))


def _python(exceeded: list[str]) -> Iterator[str]:
    yield f"{_machine()}, Python {platform.python_version()}, Pinocchio {pinocchio.__version__}."
    yield ""
    header = ("robot", "function", "us a call", "Pinocchio's", "us a state in a batch")
    yield from _table_head((*header, "Pinocchio's, in a loop", "ratio"))
    for row in python_module.rows():
        if row.difference > 1e-9:
            exceeded.append(f"{row.robot}, {row.function}: the results differ")
        times = (f"{x:.1f}" for x in (row.one, row.theirs_one, row.many, row.theirs_many))
        ratio = _ratio(row.many, row.theirs_many)
        yield _line(row.robot, row.function, *times, ratio)


def _table_head(titles: Iterable[str]) -> Iterator[str]:
    titles = tuple(titles)
    yield _line(*titles)
    yield _line(*("---" for _ in titles))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _ratio(ours: float | None, theirs: float | None) -> str:
    return "-" if ours is None or theirs is None else f"{ours / theirs:.2f}"


def _machine() -> str:
    compiler = [os.environ.get("CXX", "g++"), "--version"]
    version = subprocess.run(compiler, capture_output=True, text=True, check=True).stdout
    return f"{os.cpu_count()} cores, {platform.machine()}, {version.splitlines()[0]}"


def _keep(part: str, lines: list[str], results: Path) -> None:
    """Replace one part of the results file."""
    text = results.read_text() if results.is_file() else "# Results of `make bench`\n"
    section = f"\n## {part}\n\n" + "\n".join(lines) + "\n"
    found = re.search(rf"\n## {part}\n.*?(?=\n## |\Z)", text, re.DOTALL)
    text = text[: found.start()] + section + text[found.end() :] if found else text + section
    results.write_text(text)


if __name__ == "__main__":
    sys.exit(main())

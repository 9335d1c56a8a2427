"""Evidence about generated C: what the machine code that a compiler makes of it does and needs."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.commands import run
from robcogen_ros.runtime.compiling.toolchain import c_compiler

FLAGS = ("-std=c99", "-O2")
_FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
_LINE = re.compile(r"^\s*[0-9a-f]+:\s+(\S+)\s*(.*)$")
_NAMED = re.compile(r"<([^+>]+)>")
_RELOCATION = re.compile(r"^R_\w+$")
_SYMBOL = re.compile(r"^([A-Za-z_]\w*)")
_CALLS = re.compile(r"^(callq?|blx?|jmpq?|b)$")
_CONDITIONAL = re.compile(
    r"^(j(?!mp)[a-z]+|loop\w*"  # x86
    r"|b\.?(eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)(\.[nw])?|cbn?z|tbn?z)$"  # ARM
)
_PADDING = re.compile(r"^(nop\w*|data16|cs|xchg +%ax,%ax)")
_MEMORY = re.compile(r"^\s*\d+ \.(data|bss)(?!\.rel\.ro)\S*\s+([0-9a-f]+)", re.MULTILINE)
_RULE = re.compile(r"misra-c2012-(\d+\.\d+)")
_RED_ZONE = 128
"""Bytes below the stack that a function of x86-64 which calls no other may use."""
# fmt: off
_ADVISORY = frozenset((
    "2.3", "2.4", "2.5", "2.6", "2.7", "4.2", "5.9", "8.7", "8.9", "8.11", "8.13", "10.5",
    "11.4", "11.5", "12.1", "12.3", "12.4", "13.3", "13.4", "15.1", "15.4", "15.5", "17.5",
    "17.8", "18.4", "18.5", "19.2", "20.1", "20.5", "21.12",
))
# fmt: on
"""Advisory rules of MISRA C:2012."""


_PART = re.compile(r"_part_\d+(\.\w+)*$")
_FORM = """\
# Evidence: {name}.c

Compiled by `{command}`, {version}. All of it holds for this machine code alone; other compilers and
options (`CC`, `CFLAGS`) have a report of their own.

| function | instructions | conditional branches | stack [bytes] | calls |
|---|---|---|---|---|
{rows}

**Proven**, read from the machine code:

- {once}
- No function calls itself or any other than the table names, so none allocates.
- {memory}
- The stack is the compiler's figure for frames, the deepest of a function's parts with it, and
  the red zone of x86-64.
  Instructions and stack of the mathematical library are not counted.

**Checked**, by a tool that may err:

- {rules}

Values are for your own test: `--dataset` writes inputs and outputs with 50 digits.
"""


@dataclass
class Code:
    """Machine code of a function.

    Attributes:
        instructions: How many it has.
        conditional: How many of them may branch.
        calls: How often each other function is called.
        stack: Bytes of its own frame; None where the compiler does not bound it.
    """

    instructions: int = 0
    conditional: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    stack: int | None = None


def evidence(files: Mapping[PurePosixPath, str]) -> str:
    """The evidence about generated C, as a page in Markdown.

    Args:
        files: Texts of the source and of the header.

    Raises:
        RobcogenError: If there is no compiler or no objdump, or one of them fails.
    """
    (source,) = (path for path in files if path.suffix == ".c")
    command = [*c_compiler(), *FLAGS, *shlex.split(os.environ.get("CFLAGS", ""))]
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        for path, content in files.items():
            (folder / path.name).write_text(content, encoding="utf-8")
        own, target = folder / source.name, folder / "evidence.o"
        run([*command, "-fstack-usage", "-c", str(own), "-o", str(target)])
        dumped = _dumped(command[0], ["-dr", "--no-show-raw-insn"], target)
        codes = _codes(dumped)
        below = _RED_ZONE if "file format elf64-x86-64" in dumped else 0
        _add_stacks(codes, target.with_suffix(".su").read_text(encoding="utf-8"), below)
        sections = _MEMORY.findall(_dumped(command[0], ["-h"], target))
        memory = sum(int(size, 16) for _, size in sections)
        rules = _misra(own)
    return _page(source.stem, shlex.join(command), _version(command[0]), codes, memory, rules)


def _dumped(compiler: str, what: Sequence[str], target: Path) -> str:
    """Returns what objdump tells of an object: of a cross compiler's, its own objdump."""
    own = re.sub(r"(gcc|cc|clang)(-[\d.]+)?$", "objdump", compiler)
    program = shutil.which(own) or shutil.which("objdump")
    if program is None:
        raise RobcogenError("there is no objdump, which reads machine code: install binutils")
    done = subprocess.run([program, *what, str(target)], capture_output=True, text=True)
    if done.returncode:
        raise RobcogenError(f"{program} cannot read what {compiler} made: {done.stderr.strip()}")
    return done.stdout


def _version(compiler: str) -> str:
    done = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    return (done.stdout.splitlines() or [compiler])[0]


def _codes(text: str) -> dict[str, Code]:
    """The functions of a disassembly with relocations."""
    codes: dict[str, Code] = {}
    name, calling = "", False
    for line in text.splitlines():
        if head := _FUNCTION.match(line):
            name = head[1]
            codes[name] = Code()
        elif name and (found := _LINE.match(line)):
            mnemonic, rest = found.groups()
            if _RELOCATION.match(mnemonic):
                symbol = _SYMBOL.match(rest)
                if calling and symbol:
                    codes[name].calls[symbol[1]] += 1
                calling = False
                continue
            calling = _count(codes[name], name, mnemonic, rest)
    return codes


def _count(code: Code, name: str, mnemonic: str, operand: str) -> bool:
    """Counts an instruction; returns whether its relocation names a function that it calls."""
    if _PADDING.match(f"{mnemonic} {operand}"):
        return False
    code.instructions += 1
    code.conditional += bool(_CONDITIONAL.match(mnemonic))
    named = _NAMED.search(operand)
    if not _CALLS.match(mnemonic) or (named and named[1] == name):
        return False
    if named:
        code.calls[named[1]] += 1
    return not named


def _add_stacks(codes: Mapping[str, Code], usage: str, below: int) -> None:
    """Takes frames over; one that calls nobody may use so many bytes more below it."""
    for line in usage.splitlines():
        place, size, kind = line.split("\t")
        name = place.rpartition(":")[2]
        if name in codes and kind == "static":
            codes[name].stack = int(size) + below * (not codes[name].calls)


def _whole(codes: Mapping[str, Code], name: str, path: tuple[str, ...] = ()) -> Code:
    """A function with the parts that it calls; others' are left under `calls`.

    Raises:
        RobcogenError: If it calls itself.
    """
    if name in path:
        raise RobcogenError(f"internal error: {name} calls itself")
    own = codes[name]
    whole, deepest = Code(own.instructions, own.conditional), 0
    bounded = own.stack is not None
    for callee, count in own.calls.items():
        if callee not in codes:
            whole.calls[callee] += count
            continue
        part = _whole(codes, callee, (*path, name))
        whole.instructions += count * part.instructions
        whole.conditional += count * part.conditional
        whole.calls.update({called: count * times for called, times in part.calls.items()})
        bounded = bounded and part.stack is not None
        deepest = max(deepest, part.stack or 0)
    whole.stack = (own.stack or 0) + deepest if bounded else None
    return whole


def _misra(source: Path) -> Counter[str] | None:
    """Counts where rules of MISRA C:2012 are not kept; None where no checker is installed."""
    program = shutil.which("cppcheck")
    if program is None:
        return None
    line = [program, "--addon=misra", "--quiet", "--suppress=missingIncludeSystem", str(source)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if "misra" not in done.stderr and done.returncode:
        return None
    return Counter(_RULE.findall(done.stderr))


def _page(
    name: str,
    command: str,
    version: str,
    codes: Mapping[str, Code],
    memory: int,
    rules: Counter[str] | None,
) -> str:
    public = [each for each in codes if not _PART.search(each)]
    wholes = {each: _whole(codes, each) for each in public}
    branches = sum(whole.conditional for whole in wholes.values())
    return _FORM.format(
        name=name,
        command=command,
        version=version,
        rows="\n".join(_row(*each) for each in wholes.items()),
        once="There is no conditional branch: each instruction runs exactly once a call, whatever "
        "the data."
        if branches == 0
        else "Functions without conditional branches run each instruction exactly once a call.",
        memory=f"{memory} bytes of static memory are written: functions are "
        f"{'not ' * (memory > 0)}re-entrant.",
        rules=_told(rules),
    )


def _row(name: str, whole: Code) -> str:
    calls = ", ".join(f"{count} {called}" for called, count in sorted(whole.calls.items()))
    stack = "not bounded" if whole.stack is None else whole.stack
    return f"| `{name}` | {whole.instructions} | {whole.conditional} | {stack} | {calls or '-'} |"


def _told(rules: Counter[str] | None) -> str:
    if rules is None:
        return "MISRA C:2012 is not checked: cppcheck and its addon are not installed."
    kinds = {
        "mandatory or required": [rule for rule in rules if rule not in _ADVISORY],
        "advisory": [rule for rule in rules if rule in _ADVISORY],
    }
    told = [
        f"{', '.join(f'{rule} ({rules[rule]})' for rule in sorted(found)) or 'none'} of its {kind}"
        for kind, found in kinds.items()
    ]
    return f"Rules of MISRA C:2012 that cppcheck's addon finds not kept: {', '.join(told)} rules."

"""The program file of a robot: its functions as one graph, in which equal operations are one.

`docs/interpreter.md` describes it; `include/robcogen_ros/interpreter/specification.hpp` reads it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from pathlib import PurePosixPath

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.program.graph import CODES, CONSTANT, INPUT, PARAMETERS, Row, nodes_of
from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import Input, Leaf
from robcogen_ros.program.library import Library
from robcogen_ros.program.program import Output, Program
from robcogen_ros.program.rebuild import Rebuild
from robcogen_ros.progress import each

VERSION = 1
_NAMES = {code: operation.name for operation, code in CODES.items()}
_ARITY = {code: operation.arity for operation, code in CODES.items()}


def program_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Text of the program file, by path."""
    body = "".join(f"{line}\n" for line in _lines(library, target))
    head = f"robcogen program {VERSION}\nchecksum {zlib.crc32(body.encode()):08x}\n"
    return {PurePosixPath(f"{target.name}.program"): head + body}


def _lines(library: Library, target: Target) -> Iterable[str]:
    robot, functions = library.robot, _Functions(library)
    yield f"robot {_line(robot.name)}"
    yield f"model {_line(target.model)}"
    yield f"base {'floating' if robot.floating_base else 'fixed'}"
    yield from _section("joints", map(_line, robot.joint_names))
    yield from _section("links", map(_line, robot.link_names))
    yield from _section("contacts", [f"{len(c.rows)} {_line(c.name)}" for c in robot.contacts])
    defaults = [None if p.default is None else float(p.default) for p in robot.parameters]
    parameters = [_line(parameter.name) for parameter in robot.parameters]
    valued = zip(defaults, parameters, strict=True)
    yield from _section("parameters", [f"{_number(value)} {name}" for value, name in valued])
    yield from _section("arguments", map(_argument, functions.arguments.values()))
    rows, constants = nodes_of(functions.graph.nodes, [*functions.arguments], parameters)
    yield from _section("constants", map(_number, constants))
    yield from _section("nodes", map(_node, rows))
    yield f"functions {len(functions.forms)}"
    for name, forms in functions.forms.items():
        yield f"function {len(forms)} {_line(name)}"
        for inputs, outputs in forms:
            places = [str([*functions.arguments].index(name)) for name in inputs]
            yield " ".join(["form", str(len(outputs)), str(len(places)), *places])
            for output in outputs:
                yield f"result {_shape(output.argument)} {output.argument.name}"
                yield " ".join(str(node.number) for node in output.nodes)


class _Functions:
    """The functions of a robot in one graph.

    Attributes:
        graph: The graph.
        arguments: All arguments by name, the parameters of the robot last. One that has another
            size than one of its name is under its name with its size.
        forms: Of each function its forms, the one without optional arguments first: inputs and
            outputs.
    """

    def __init__(self, library: Library) -> None:
        self.graph = Graph()
        self.arguments: dict[str, Argument] = {}
        self.forms: dict[str, list[tuple[list[str], tuple[Output, ...]]]] = {}
        for name in each(library.names, "tracing", "functions"):
            entry = library.entry(name)
            programs = [entry.usual, entry.general] if entry.usual else [entry.general]
            self.forms[name] = [self._copied(program) for program in programs]
        count = len(library.robot.parameters)
        if count:
            self.arguments[PARAMETERS] = Argument(PARAMETERS, count)

    def _copied(self, program: Program) -> tuple[list[str], tuple[Output, ...]]:
        """Copies a program into the graph; returns the arguments it takes, and its outputs."""
        names = {argument.name: self._name(argument) for argument in program.inputs}

        def input_of_all(leaf: Leaf) -> Node | None:
            if not isinstance(leaf, Input) or names[leaf.name] == leaf.name:
                return None
            return self.graph.leaf(Input(names[leaf.name], leaf.index))

        rebuild = Rebuild(self.graph, input_of_all)
        for block in program.body:
            rebuild.block(block)
        return [*names.values()], rebuild.outputs(program.outputs)

    def _name(self, argument: Argument) -> str:
        """Returns the name under which an argument is among those of all functions."""
        known = self.arguments.get(argument.name, argument)
        name = argument.name if known.size == argument.size else f"{argument.name}:{argument.size}"
        if argument.optional or name not in self.arguments:
            self.arguments[name] = argument
        return name


def _section(title: str, lines: Iterable[str]) -> list[str]:
    listed = list(lines)
    return [f"{title} {len(listed)}", *listed]


def _argument(argument: Argument) -> str:
    values = [float(x) for x in argument.values_left_out] if argument.optional else []
    left_out = ",".join(map(_number, values)) if any(values) else "zeros" if values else "-"
    return f"{_shape(argument)} {left_out} {argument.name}"


def _shape(argument: Argument) -> str:
    return f"{argument.rows} {argument.columns or 1}"


def _node(row: Row) -> str:
    code, *operands = row
    if code == INPUT:
        return f"input {operands[0]} {operands[1]}"
    if code == CONSTANT:
        return f"constant {operands[0]}"
    return " ".join([_NAMES[code], *map(str, operands[: _ARITY[code]])])


def _number(value: float | None) -> str:
    """The bits of a number, which every machine reads alike."""
    return "-" if value is None else struct.pack(">d", value).hex()


def _line(name: str) -> str:
    """A name, which stands at the end of a line."""
    if not name or name != name.strip() or any(not c.isprintable() for c in name):
        raise RobcogenError(
            f"name {name!r} cannot be in a program file: expected printable characters, blanks "
            "only between them"
        )
    return name

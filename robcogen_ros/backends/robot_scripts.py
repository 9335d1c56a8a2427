"""The functions of a robot in a language without declarations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import itemgetter

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.identifiers import comment, identifiers
from robcogen_ros.backends.script import Language, Script, script
from robcogen_ros.backends.transform_fields import Field
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.operation import OPERATIONS, SELECT, Operation
from robcogen_ros.program.library import Library
from robcogen_ros.program.program import Program
from robcogen_ros.progress import each


@dataclass(frozen=True, slots=True)
class Result:
    """A result of a function.

    Attributes:
        argument: What it is.
        entries: Row, column and text of each entry but structural zeros.
    """

    argument: Argument
    entries: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """A function with the arguments that it has here.

    Attributes:
        inputs: The arguments, without parameters.
        reads: Lines that take what is needed from the arguments.
        body: Its lines.
        results: Its results.
    """

    inputs: tuple[Argument, ...]
    reads: tuple[str, ...]
    body: Script
    results: tuple[Result, ...]

    @property
    def calls(self) -> tuple[Operation, ...]:
        """The operations in it that are calls of functions."""
        lines = [line for section in self.body.sections for line in section.lines]
        lines += [text for result in self.results for _, _, text in result.entries]
        text = "\n".join(lines)
        called = [o for o in OPERATIONS.values() if not o.symbol and f"{o.name}(" in text]
        return tuple(sorted(called, key=lambda operation: operation.name))


@dataclass(frozen=True, slots=True)
class RobotScript:
    """Texts of a function for templates.

    Attributes:
        name: Its name.
        summary: What it computes.
        inputs: Its arguments, the optional ones last, without parameters.
        usual: Its form without optional arguments.
        general: Its form with them; None where there are none.
    """

    name: str
    summary: str
    inputs: tuple[Argument, ...]
    usual: Variant
    general: Variant | None


def selects(script: RobotScript) -> bool:
    """Returns True if a function makes a choice, for which languages have no function."""
    forms = (script.usual, script.general)
    return any(SELECT in form.calls for form in forms if form is not None)


Reading = Callable[[Argument | None, int, str], str]
"""The text of an entry: of an argument by its number, or of the parameters (None) by its field."""


def robot_scripts(
    library: Library,
    language: Language,
    reading: Reading,
    taken: frozenset[str],
    *,
    derived: bool = False,
) -> list[RobotScript]:
    """The functions of a robot.

    Args:
        library: Its programs.
        language: The language.
        reading: How the language reads an entry of an argument.
        taken: Names that no function and no variable may have.
        derived: Whether functions of a parametric robot take `constants` in place of parameters.
    """
    reserved = language.reserved | taken
    names = identifiers(library.names, reserved, language.longest, as_files=language.files)
    constants = library.constant_labels if derived else {}
    writer = _Writer(language, reading, library.robot, taken | set(names), constants)
    scripts = []
    pairs = zip(library.names, names, strict=True)
    for name, identifier in each(
        pairs, f"generating {library.robot.name}", "functions", itemgetter(0)
    ):
        entry = library.derived(name) if derived else library.entry(name)
        inputs = sorted(entry.function.inputs, key=lambda argument: argument.optional)
        general = None if entry.usual is None else writer.variant(entry.general)
        scripts.append(
            RobotScript(
                identifier,
                comment(entry.function.summary),
                tuple(inputs),
                writer.variant(entry.fastest),
                general,
            )
        )
    return scripts


def update_script(
    library: Library, language: Language, reading: Reading, taken: frozenset[str]
) -> Variant:
    """Returns the function that gives `constants` of the parameters of a robot that has some."""
    return _Writer(language, reading, library.robot, taken).variant(library.update_parameters)


def parameter_fields(robot: Robot, language: Language) -> list[Field]:
    """The robot's parameters under the names that a language allows."""
    names = identifiers(
        [parameter.name for parameter in robot.parameters], language.reserved, language.longest
    )
    return [
        Field(name, p.default, comment(f"{p.name}, of the {p.group}"))
        for name, p in zip(names, robot.parameters, strict=True)
    ]


def default_values(argument: Argument) -> list[float]:
    """The values of an optional argument that is left out."""
    return [number.to_float(number.number(v)) for v in argument.default or (0,) * argument.size]


def described(argument: Argument, shape: tuple[int, ...]) -> str:
    """A line that says what an argument is."""
    text = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    return f"{argument.name}: ({text}) {comment(argument.meaning)}".rstrip()


def by_default(argument: Argument) -> str:
    """The end of a line that says what an argument is: what it is where it is left out."""
    if not argument.optional:
        return ""
    values = default_values(argument)
    return f"; by default {tuple(values) if any(values) else 'zero'}"


class _Writer:
    """Writes programs of one robot in one language."""

    def __init__(
        self,
        language: Language,
        reading: Reading,
        robot: Robot,
        taken: frozenset[str],
        constants: Mapping[tuple[str, int], str] | None = None,
    ) -> None:
        self._language = language
        self._reading = reading
        self._taken = taken
        self._fields = [field.name for field in parameter_fields(robot, language)]
        self._constants = constants or {}
        self._parameters = tuple(parameter.name for parameter in robot.parameters)

    def variant(self, program: Program) -> Variant:
        """A program in the language."""
        parameters = {(PARAMETERS, i): name for i, name in enumerate(self._fields)}
        labels = {**parameters, **self._constants}
        body = script(program, self._language, self._parameters, labels, self._taken)
        arguments = {argument.name: argument for argument in program.inputs}
        reads = tuple(
            f"{read.variable} = "
            + self._reading(
                arguments.get(read.argument),
                read.index,
                self._fields[read.index] if read.argument == PARAMETERS else "",
            )
            for read in body.reads
        )
        results = tuple(
            Result(
                output.argument,
                tuple(
                    (k % output.argument.rows, k // output.argument.rows, text)
                    for k, text in enumerate(body.entries[output.argument.name])
                    if not output.nodes[k].structurally_zero
                ),
            )
            for output in program.outputs
        )
        return Variant(program.inputs, reads, body, results)

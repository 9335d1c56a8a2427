"""Public functions of a header: Eigen expressions of any scalar in, values of fixed size out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.cpp.text import RESERVED, comment
from robcogen_ros.backends.identifiers import identifiers
from robcogen_ros.backends.wrap import WIDTH, enclosed
from robcogen_ros.model.robot import Robot

_TAKEN = RESERVED | {"Types", "Model", "Joint", "Link", "Frame", "Parameters", "Traits", "State"}


@dataclass(frozen=True, slots=True)
class Signature:
    """Declaration of a public function.

    Attributes:
        template: Its template line.
        scalar: The scalar it computes with, as its declaration names it.
        declared: Its parameters.
        sized: Whether sizes of parameters may be known at run time only.
        handed: What is handed on to the function on plain arrays.
        documentation: A line for each input.
    """

    template: str
    scalar: str
    declared: tuple[str, ...]
    sized: bool
    handed: tuple[str, ...]
    documentation: tuple[str, ...]

    def declaration(self, result: str, name: str) -> str:
        """The declaration of a function of this signature."""
        head = f"{result} {name}("
        if not self.sized:
            return f"{self.template}\n{enclosed(head, self.declared, ') noexcept')}"
        line = f"{head}{', '.join(self.declared)}) noexcept("
        if len(line) <= WIDTH:
            return f"{self.template}\n{enclosed(line, ['fixed'], ')')}"
        return f"{self.template}\n{enclosed(head, self.declared, ') noexcept(fixed)')}"


def signature(
    inputs: Sequence[Argument], has_parameters: bool, before: Sequence[str] = ()
) -> Signature:
    """The signature of a function of some inputs.

    Args:
        inputs: Its inputs.
        has_parameters: Whether the robot has parameters, made constants, which all functions take
            last.
        before: Further parameters that name the scalar T, ahead of all.
    """
    vectors = [argument for argument in inputs if not argument.scalar]
    kinds = dict(zip(vectors, identifiers(map(_camel, vectors), _TAKEN), strict=True))
    names_scalar = bool(before) or not vectors
    scalar = "T" if names_scalar else f"typename {kinds[vectors[0]]}::Scalar"
    types = [f"typename {kind}" for kind in kinds.values()]
    if names_scalar:
        types.insert(
            0, "typename T" if before or inputs or has_parameters else "typename T = double"
        )
    if kinds:
        types.append(f"bool fixed = fixed_size<{', '.join(kinds.values())}>")
    declared = [*before, *(_declared(a, kinds.get(a), scalar) for a in inputs)]
    handed = [_handed(argument) for argument in inputs]
    documentation = [f"@param {a.name} {comment(a.meaning)}" for a in inputs if a.meaning]
    if has_parameters:
        declared.append(f"const ConstantsOf<{scalar}> & constants")
        handed.insert(0, "constants.data()")
    template = enclosed("template <", types, ">")
    return Signature(
        template,
        scalar,
        tuple(declared),
        bool(kinds),
        tuple(handed),
        tuple(documentation),
    )


def result_type(argument: Argument, robot: Robot, types: str, scalar: str) -> str:
    """The type of an output.

    Args:
        argument: The output.
        robot: The robot.
        types: The robot's types of the scalar, as in `typename Types<T>::`.
        scalar: The scalar.
    """
    if argument.scalar:
        return scalar
    rows, columns = argument.rows, argument.columns
    if columns is None:
        if argument.name in ("q", "qd", "qdd", "tau") and rows == robot.n:
            return f"{types}JointVector"
        name = {3: "Vector3", 6: "Vector6"}.get(rows)
        return f"{types}{name}" if name else f"robcogen_ros::Matrix<{scalar}, {rows}>"
    freedoms = robot.n + (6 if robot.floating_base else 0)
    named = {
        ("X", 4, 4): "Transform",
        ("J", 6, robot.n): "Jacobian",
        **{(name, freedoms, freedoms): "InertiaMatrix" for name in ("H", "L", "H_inverse")},
    }
    name = named.get((argument.name, rows, columns))
    return f"{types}{name}" if name else f"robcogen_ros::Matrix<{scalar}, {rows}, {columns}>"


def _declared(argument: Argument, kind: str | None, scalar: str) -> str:
    if kind is None:
        return f"const {scalar} & {argument.name}"
    return f"const Eigen::MatrixBase<{kind}> & {argument.name}"


def _handed(argument: Argument) -> str:
    if argument.scalar:
        return f"&{argument.name}"
    shape = (
        f"{argument.rows}" if argument.columns is None else f"{argument.rows}, {argument.columns}"
    )
    return f'robcogen_ros::argument<T, {shape}>({argument.name}, "{argument.name}").data()'


def _camel(argument: Argument) -> str:
    return "".join(word.capitalize() for word in argument.name.split("_"))

"""Values in the Kinematics-DSL: numbers, PI, parameters and products of these."""

from __future__ import annotations

from decimal import Decimal

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral
from robcogen_ros.formats.kindsl_syntax import Node, child, children, location, name, token
from robcogen_ros.formats.source import Source
from robcogen_ros.model.expression import PI, ZERO, Expression, Parameter, expression
from robcogen_ros.model.spatial import IDENTITY, Pose, Vector, rotation_x, rotation_y, rotation_z

_GROUP_WORD = {"lengths": "a length", "angles": "an angle", "inertia": "an inertia property"}


class Values:
    """Evaluates a document's values and keeps its parameters, each once.

    Attributes:
        parameters: The parameters by name, in the order of the document.
        problems: Findings about values.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parameters: dict[str, Parameter] = {}
        self.problems: list[Problem] = []

    def value(self, node: Node, group: str) -> Expression:
        """A value; its parameters belong to a group."""
        (product,) = (part for part in node.children if isinstance(part, type(node)))
        result = _signed(node, self._product(product, group))
        if result.value is not None and abs(float(result.value)) > numeral.LARGEST:
            self._complain(product, "the value is larger than any quantity of a robot")
            return ZERO
        return result

    def vector(self, node: Node, group: str) -> Vector:
        """Three values."""
        return Vector(*(self.value(part, group) for part in children(node, "value")))

    def pose(self, node: Node) -> Pose:
        """Translate, then rotate about x, the new y, the new z."""
        translation, rotation = children(node, "vector")
        turned = IDENTITY
        angles = self.vector(rotation, "angles")
        for about, by in zip((rotation_x, rotation_y, rotation_z), angles, strict=True):
            if not by.structurally_zero:
                turned = turned @ about(by)
        return Pose(turned, self.vector(translation, "lengths")).map(expression)

    def _complain(self, node: Node, message: str) -> None:
        self.problems.append(Problem(message, location(self.source, node)))

    def _product(self, node: Node, group: str) -> Expression:
        if node.data == "number":
            return self._number(node)
        if node.data == "pi":
            return PI
        if node.data == "parameter":
            return self._parameter(node, group)
        return self._binary(node, group)

    def _binary(self, node: Node, group: str) -> Expression:
        number = child(node, "number")
        (factor,) = (part for part in children(node, "pi") + children(node, "parameter"))
        left, right = self._product(factor, group), self._number(number)
        if node.data != "quotient":
            return _signed(node, right * left)
        if right.structurally_zero:
            self._complain(number, "division by zero")
            return left
        return expression(left / right)

    def _parameter(self, node: Node, group: str) -> Expression:
        parameter = Parameter(name(node), group, self._default(node))
        known = self.parameters.setdefault(parameter.name, parameter)
        if known.group != group:
            message = (
                f"parameter '{known.name}' is used as {_GROUP_WORD[group]} here and as "
                f"{_GROUP_WORD[known.group]} before; give them different names"
            )
            self._complain(node, message)
        return Expression(parameter=known)

    def _number(self, node: Node) -> Expression:
        text = token(node, "NUMBER") or "0"
        complaint = numeral.complaint(text)
        if complaint:
            self._complain(node, complaint)
            return ZERO
        return expression(text) if float(text) else ZERO

    def _default(self, node: Node) -> Decimal | None:
        numbers = children(node, "number")
        return _signed(node, self._number(numbers[0])).value if numbers else None


def _signed(node: Node, value: Expression) -> Expression:
    return -value if token(node, "SIGN") == "-" else value

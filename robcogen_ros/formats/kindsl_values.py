"""Values in the Kinematics-DSL: numbers, PI, parameters, and expressions of these."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral
from robcogen_ros.formats.angles import Angles
from robcogen_ros.formats.kindsl_names import Hints
from robcogen_ros.formats.kindsl_rotation import euler_rotation
from robcogen_ros.formats.kindsl_syntax import is_first_version
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import (
    Node,
    child,
    children,
    escaped,
    location,
    name,
    nodes,
    token,
)
from robcogen_ros.model.expression import ONE, PI, ZERO, Expression, Parameter, expression
from robcogen_ros.model.operation import Scalar, cos, sin, sqrt
from robcogen_ros.model.spatial import Pose, Vector

Arguments = dict[str, "Argument"]

_GROUP_WORD = {"lengths": "a length", "angles": "an angle", "inertia": "an inertia property"}
_FUNCTIONS: dict[str, Callable[[Scalar], Scalar]] = {"sqrt": sqrt, "sin": sin, "cos": cos}
_TURN = 2 * PI
_LONGEST_NUMBER = 400
_DEEPEST = 100
_LARGEST = 1000
"""Operations in one value, those of the arguments in it included."""


class Argument:
    """What an argument of a limb stands for: a value, in terms of the arguments around it."""

    def __init__(self, value: Node, around: Arguments) -> None:
        self.value = value
        self.around = around
        self.known: dict[str, tuple[Expression, int]] = {}
        """What it comes to in a group of parameters, and in how many operations."""


class _TooLong(Exception):
    """A value has more operations than any formula of a robot."""


class Values:
    """Evaluates a document's values and keeps its parameters, each once.

    Attributes:
        angles: Reads constant angles.
        parameters: The parameters by name, in the order of the document.
        problems: Findings about values.
        hints: What to say of unknown names.
    """

    def __init__(self, source: Source, document: Node, snap_angles: float | None) -> None:
        self.source = source
        self.angles = Angles(snap_angles)
        self.parameters: dict[str, Parameter] = {}
        self.problems: list[Problem] = []
        self.hints = Hints()
        self._first_version = is_first_version(document)
        self._defaults: dict[str, Decimal] = {}
        self._constants: dict[str, Decimal] = {}
        self._operations = 0
        for node in nodes(document, {"parameter", "constant"}):
            self._remember(node)

    def value(self, node: Node, group: str, arguments: Arguments) -> Expression:
        """A value; its parameters belong to a group."""
        (term,) = node.children
        assert not isinstance(term, str)
        self._operations = 0
        try:
            result = self._term(term, group, arguments, 0)
        except _TooLong:
            self._complain(node, "the value is too long; make it simpler")
            return ZERO
        if result.value is not None and abs(float(result.value)) > numeral.LARGEST:
            self._complain(node, "the value is larger than any quantity of a robot")
            return ZERO
        return result

    def constant(self, node: Node, arguments: Arguments) -> float:
        """A value without parameters."""
        term = self.value(node, "", arguments)
        if term.value is not None:
            return float(term)
        names = ", ".join(f"'{parameter.name}'" for parameter in term.parameters())
        self._complain(node, f"this must be a constant, not depend on {names}")
        return 0.0

    def vector(self, node: Node, group: str, arguments: Arguments) -> Vector:
        """Three values."""
        return Vector(*(self.value(part, group, arguments) for part in children(node, "value")))

    def pose(self, node: Node, arguments: Arguments) -> Pose:
        """Translate, then rotate about x, the new y, the new z."""
        translation, rotation = children(node, "vector")
        angles = self.vector(rotation, "angles", arguments)
        angles = Vector(*map(self._angle, angles, children(rotation, "value")))
        return Pose(euler_rotation(angles), self.vector(translation, "lengths", arguments))

    def _angle(self, angle: Expression, node: Node) -> Expression:
        """An angle as it is meant."""
        if angle.value is None:
            return angle
        if abs(angle.value) > _TURN.evaluate():
            message = f"{float(angle):g} is more than a turn; angles are in radians"
            self._complain(node, message, "warning")
        return self.angles.angle(angle.value, location(self.source, node))

    def _complain(self, node: Node, message: str, severity: str = "error") -> None:
        self.problems.append(Problem(message, location(self.source, node), severity))

    def _remember(self, node: Node) -> None:
        """Keep the default of a parameter, or the value of a constant, wherever it is given."""
        what, known = "value", self._constants
        given = node
        if node.data == "parameter":
            if not children(node, "default"):
                return
            what, known, given = "default", self._defaults, child(node, "default")
        numbers = children(given, "number")
        if not numbers:
            return
        value = self._number(numbers[0])
        value = -value if token(given, "SIGN") == "-" else value
        assert value.value is not None
        if known.setdefault(name(node), value.value) != value.value:
            message = f"'{name(node)}' has the {what} {float(known[name(node)]):g} already"
            self._complain(node, message)

    def _term(self, node: Node, group: str, arguments: Arguments, depth: int) -> Expression:
        self._operations += 1
        if depth > _DEEPEST or self._operations > _LARGEST:
            raise _TooLong
        if node.data == "number":
            return self._number(node)
        if node.data == "pi":
            return PI
        if node.data == "constant":
            return self._constant(node)
        if node.data == "parameter":
            return self._parameter(node, group, arguments, depth)
        parts = [part for part in node.children if isinstance(part, type(node))]
        operands = [
            self._term(part, group, arguments, depth + 1) for part in parts if part.data != "name"
        ]
        return expression(self._operation(node, operands))

    def _operation(self, node: Node, operands: list[Expression]) -> Scalar:
        first, last = operands[0], operands[-1]
        if node.data == "negative":
            return -first
        if node.data == "sum":
            return first + last
        if node.data == "difference":
            return self._difference(node, first, last)
        if node.data in ("product", "juxtaposed"):
            return first * last
        if node.data == "quotient":
            return self._quotient(node, first, last)
        if node.data == "call":
            return self._call(node, first)
        return first

    def _difference(self, node: Node, first: Expression, last: Expression) -> Scalar:
        """In the first version of the language, `2.0 -x` is the product of 2.0 and -x."""
        left, right = (part.data for part in node.children if isinstance(part, type(node)))
        bare = left == "number" or (left == "negative" and first.value is not None)
        if not (self._first_version and bare and right in ("parameter", "pi")):
            return first - last
        message = "this is a product, as in the first version of the language; write '*' to say so"
        self._complain(node, message, "warning")
        return first * -last

    def _quotient(self, node: Node, first: Expression, last: Expression) -> Scalar:
        divisor = [part for part in node.children if isinstance(part, type(node))][-1]
        if divisor.data == "juxtaposed":
            self._complain(divisor, "write parentheses around this divisor")
        if last.structurally_zero:
            self._complain(divisor, "division by zero")
            return first
        return first / last

    def _call(self, node: Node, argument: Expression) -> Scalar:
        function = _FUNCTIONS.get(name(node))
        if function is None:
            known = ", ".join(_FUNCTIONS)
            message = f"there is no function '{name(node)}', only {known}"
            self._complain(node, message + self.hints.nearest(name(node), _FUNCTIONS))
            return argument
        if function is sqrt and argument.value is not None and argument.value < 0:
            self._complain(node, "square root of a negative number")
            return ZERO
        return function(argument)

    def _constant(self, node: Node) -> Expression:
        if name(node) in self._constants:
            return Expression(value=self._constants[name(node)])
        message = f"the constant <{name(node)}> is never given a value, as in <{name(node)}=1.0>"
        self._complain(node, message + self.hints.nearest(name(node), self._constants))
        return ONE

    def _parameter(self, node: Node, group: str, arguments: Arguments, depth: int) -> Expression:
        own = name(node)
        if own in arguments:
            return self._argument(arguments[own], group, depth)
        if own.lower() == "pi" and not escaped(node) and not children(node, "default"):
            if not self._first_version:
                return PI
            message = f"'{own}' is a parameter; the number is written PI"
            self._complain(node, message, "warning")
        parameter = Parameter(own, group, self._defaults.get(own))
        known = self.parameters.setdefault(own, parameter) if group else parameter
        if known.group != group:
            message = (
                f"parameter '{known.name}' is used as {_GROUP_WORD[group]} here and as "
                f"{_GROUP_WORD[known.group]} before; give them different names"
            )
            self._complain(node, message)
        return Expression(parameter=known)

    def _argument(self, argument: Argument, group: str, depth: int) -> Expression:
        if group in argument.known:
            result, operations = argument.known[group]
            self._operations += operations
            return result
        before = self._operations
        (term,) = argument.value.children
        assert not isinstance(term, str)
        result = self._term(term, group, argument.around, depth + 1)
        argument.known[group] = result, self._operations - before
        return result

    def _number(self, node: Node) -> Expression:
        text = token(node, "NUMBER") or "0"
        if len(text) > _LONGEST_NUMBER:
            self._complain(node, f"a number of {len(text)} characters is too long")
            return ZERO
        complaint = numeral.complaint(text)
        if complaint:
            self._complain(node, complaint)
            return ZERO
        return expression(text) if float(text) else ZERO

"""Values in the Kinematics-DSL: numbers, PI, parameters, and expressions of these."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import reduce
from operator import mul

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral
from robcogen_ros.formats.angles import Angles
from robcogen_ros.formats.kindsl.names import Hints
from robcogen_ros.formats.kindsl.quantities import Place, Quantities
from robcogen_ros.formats.kindsl.rotation import euler_rotation
from robcogen_ros.formats.kindsl.syntax import is_first_version
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.syntax_tree import (
    Node,
    child,
    children,
    escaped,
    joined,
    location,
    name,
    nodes,
    token,
)
from robcogen_ros.model.scalars.expression import ONE, PI, ZERO, Expression, Parameter, expression
from robcogen_ros.model.scalars.operation import Scalar, cos, sin, sqrt
from robcogen_ros.model.spatial import Pose, Vector

Arguments = dict[str, "Argument"]

_FUNCTIONS: dict[str, Callable[[Scalar], Scalar]] = {"sqrt": sqrt, "sin": sin, "cos": cos}
_TURN = 2 * PI
_LONGEST_NUMBER = 400
_DEEPEST = 100
_LARGEST = 1000
"""Operations in one value, those of the arguments in it included."""
_HIGHEST_POWER = 9


class Argument:
    """Value of an argument of a limb, in terms of the arguments around it."""

    def __init__(self, value: Node, around: Arguments) -> None:
        self.value = value
        self.around = around
        self.known: tuple[Expression, int] | None = None
        """What it comes to, and in how many operations."""


class _TooLong(Exception):
    """A value has more operations than any formula of a robot."""


class Values:
    """Evaluates a document's values and keeps its parameters, each once.

    Attributes:
        angles: Reads constant angles.
        quantities: What parameters are used as.
        problems: Findings about values.
        hints: What to say of unknown names.
    """

    def __init__(self, source: Source, document: Node, snap_angles: float | None) -> None:
        self.source = source
        self.angles = Angles(snap_angles)
        self.quantities = Quantities(source)
        self.problems: list[Problem] = []
        self.hints = Hints()
        self._first_version = is_first_version(document)
        self._parameters: dict[str, Parameter] = {}
        self._defaults: dict[str, Decimal] = {}
        self._constants: dict[str, Decimal] = {}
        self._operations = 0
        for node in nodes(document, {"parameter", "constant"}):
            self._remember(node)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of all values so far, in the order in which they came."""
        return tuple(map(self.quantities.known, self._parameters.values()))

    def value(self, node: Node, place: Place, arguments: Arguments) -> Expression:
        """A value in a place."""
        result = self._evaluated(node, arguments)
        if result.value is None:
            self.quantities.note(result, place, node)
            self._check_at_defaults(result, node)
        return result

    def _check_at_defaults(self, term: Expression, node: Node) -> None:
        """Finds out whether an expression has a value at the defaults of its parameters."""
        parameters = term.parameters()
        try:
            large = abs(float(term)) > numeral.LARGEST
            trouble = "the value is larger than any quantity of a robot" if large else ""
        except (ValueError, ArithmeticError) as error:
            known = all(parameter.default is not None for parameter in parameters)
            trouble = str(error) if known or isinstance(error, ArithmeticError) else ""
        if trouble:
            values = ", ".join(
                f"{p.name} = {'none' if p.default is None else f'{float(p.default):g}'}"
                for p in parameters
            )
            self._complain(node, f"at the defaults {values}: {trouble}")

    def _evaluated(self, node: Node, arguments: Arguments) -> Expression:
        (term,) = node.children
        assert not isinstance(term, str)
        self._operations = 0
        try:
            result = self._term(term, arguments, 0)
        except _TooLong:
            self._complain(node, "the value is too long; make it simpler")
            return ZERO
        if result.value is not None and abs(float(result.value)) > numeral.LARGEST:
            self._complain(node, "the value is larger than any quantity of a robot")
            return ZERO
        return result

    def constant(self, node: Node, arguments: Arguments) -> float:
        """A value without parameters."""
        term = self._evaluated(node, arguments)
        if term.value is not None:
            return float(term)
        names = ", ".join(f"'{parameter.name}'" for parameter in term.parameters())
        self._complain(node, f"this must be a constant, not depend on {names}")
        return 0.0

    def vector(self, node: Node, place: Place, arguments: Arguments) -> Vector:
        """Three values."""
        return Vector(*(self.value(part, place, arguments) for part in children(node, "value")))

    def pose(self, node: Node, arguments: Arguments) -> Pose:
        """Translate, then rotate about x, the new y, the new z."""
        translation, rotation = children(node, "vector")
        angles = self.vector(rotation, Place.ANGLE, arguments)
        angles = Vector(*map(self._angle, angles, children(rotation, "value")))
        return Pose(euler_rotation(angles), self.vector(translation, Place.LENGTH, arguments))

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
        """Keeps the default of a parameter, or the value of a constant, wherever it is given."""
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

    def _term(self, node: Node, arguments: Arguments, depth: int) -> Expression:
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
            return self._parameter(node, arguments, depth)
        if node.data in ("power", "power_of_number"):
            return self._power(node, arguments, depth)
        parts = [part for part in node.children if isinstance(part, type(node))]
        operands = [self._term(part, arguments, depth + 1) for part in parts if part.data != "name"]
        return expression(self._operation(node, operands))

    def _operation(self, node: Node, operands: list[Expression]) -> Scalar:
        first, last = operands[0], operands[-1]
        if node.data == "negative":
            return -first
        if node.data == "sum":
            return first + last
        if node.data == "difference":
            return self._difference(node, first, last)
        if node.data == "juxtaposed":
            self._warn_of_units(*(part for part in node.children if isinstance(part, type(node))))
        if node.data in ("product", "juxtaposed"):
            return first * last
        if node.data == "quotient":
            return self._quotient(node, first, last)
        if node.data == "call":
            return self._call(node, first)
        return first

    def _warn_of_units(self, number: Node, factor: Node) -> None:
        if factor.data in ("parameter", "power") and (told := joined(self.source, number, factor)):
            self._complain(number, told, "warning")

    def _difference(self, node: Node, first: Expression, last: Expression) -> Scalar:
        """Returns a difference, or a product where the first version has one: `2.0 -x`."""
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

    def _power(self, node: Node, arguments: Arguments, depth: int) -> Expression:
        """A product of equal factors."""
        base, exponent = (part for part in node.children if isinstance(part, type(node)))
        before = self._operations
        factor = self._term(base, arguments, depth + 1)
        text = token(exponent, "NUMBER") or ""
        if not (text.isdigit() and len(text) == 1 and text != "0"):
            message = (
                f"expected a whole number from 1 to {_HIGHEST_POWER} as exponent, found {text}"
            )
            self._complain(exponent, message)
            return ONE
        self._operations += (int(text) - 1) * (self._operations - before)
        if self._operations > _LARGEST:
            raise _TooLong
        return expression(reduce(mul, [factor] * int(text)))

    def _parameter(self, node: Node, arguments: Arguments, depth: int) -> Expression:
        own = name(node)
        if own in arguments:
            return self._argument(arguments[own], depth)
        if own.lower() == "pi" and not escaped(node) and not children(node, "default"):
            if not self._first_version:
                return PI
            message = f"'{own}' is a parameter; the number is written PI"
            self._complain(node, message, "warning")
        if numeral.is_not_finite(own) and not escaped(node):
            self._complain(node, f"'{own}' is not a finite number")
        parameter = Parameter(own, default=self._defaults.get(own))
        return Expression(parameter=self._parameters.setdefault(own, parameter))

    def _argument(self, argument: Argument, depth: int) -> Expression:
        if argument.known is not None:
            result, operations = argument.known
            self._operations += operations
            return result
        before = self._operations
        (term,) = argument.value.children
        assert not isinstance(term, str)
        result = self._term(term, argument.around, depth + 1)
        argument.known = result, self._operations - before
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

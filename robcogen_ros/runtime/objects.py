"""Objects of a compiled robot that keep something from call to call: those of the core library."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.backends.cpp.objects import OBJECTS, needed_functions
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.contacts import Contact, numbers
from robcogen_ros.model.names import hint, nearest
from robcogen_ros.progress import shown
from robcogen_ros.runtime.arguments import Shape, checked_array, flags_of_names, refuse_no_flags
from robcogen_ros.runtime.compiling.core import core_library
from robcogen_ros.runtime.evaluators.compiled import CArgument
from robcogen_ros.runtime.evaluators.evaluator import Evaluator

Array = NDArray[np.float64]
_Create = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_Destroy = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_TEXT: Shape = (512,)
"""Room of numbers in which a text comes, `ROBCOGEN_TEXT`."""
_Call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class _Method(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("input_count", ctypes.c_size_t),
        ("inputs", ctypes.POINTER(CArgument)),
        ("output_count", ctypes.c_size_t),
        ("outputs", ctypes.POINTER(CArgument)),
        ("call", _Call),
    )


class _Object(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_uint32),
        ("version", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("setting_count", ctypes.c_size_t),
        ("settings", ctypes.POINTER(CArgument)),
        ("create", _Create),
        ("destroy", _Destroy),
        ("method_count", ctypes.c_size_t),
        ("methods", ctypes.POINTER(_Method)),
        ("fault_count", ctypes.c_size_t),
        ("faults", ctypes.POINTER(ctypes.c_char_p)),
    )


class Fault(RobcogenError):
    """An object cannot go on.

    Attributes:
        number: Which of its faults it is, from 1.
    """

    def __init__(self, message: str, number: int) -> None:
        """A fault of a number."""
        super().__init__(message)
        self.number = number


class CompiledObject:
    """An object of a robot.

    Attributes:
        name: What it is.
        faults: What the numbers mean that its methods return.
        results: Results of the last call of each method, by name; they change in the next.
    """

    def __init__(
        self, evaluator: Evaluator, name: str, settings: Mapping[str, ArrayLike | str | None]
    ) -> None:
        """Makes one.

        Args:
            evaluator: Who computes the functions of the robot.
            name: What the object is.
            settings: What it is made of, by name; None and what is left out is as it is by default.

        Raises:
            RobcogenError: If the robot was built without such objects.
            ValueError: If a setting has another shape.
        """
        self.name = name
        self._evaluator = evaluator  # its tables of the robot live as long as the object
        model, library = _model_and_core(evaluator, name)
        self._table = table = _table(library, model, name)

        def shapes(arguments: Any, count: int) -> dict[str, Shape]:
            return {a.name.decode(): _shape(a, library, model) for a in arguments[:count]}

        self.faults = tuple(table.faults[i].decode() for i in range(table.fault_count))
        named = shapes(table.settings, table.setting_count)
        self._settings = arrays = _checked(settings, named)
        self._object = table.create(model, _pointers([arrays.get(each) for each in named]))
        if not self._object:
            raise RobcogenError(f"{name}: the robot has no feet, or a setting is out of its range")
        methods = [table.methods[i] for i in range(table.method_count)]
        self._methods = {method.name.decode(): _Prepared(method, shapes) for method in methods}

    def __del__(self) -> None:
        """Gives its memory back."""
        if getattr(self, "_object", None):
            self._table.destroy(self._object)

    def __reduce__(self) -> tuple[object, ...]:
        """Refuses to be copied: what the object keeps is its own."""
        raise TypeError(f"a {self.name} cannot be copied or pickled")

    def call(self, method: str, **inputs: ArrayLike | str | None) -> dict[str, Array]:
        """Calls a method.

        Returns:
            Its results by name; the arrays are written anew in the next call.

        Raises:
            Fault: If it cannot; the results are there all the same.
            ValueError: If an input has another shape.
        """
        prepared = self._methods[method]
        number = prepared.call(self._object, inputs)
        if number:
            raise Fault(self._fault_message(number, inputs), number)
        return prepared.results

    def _fault_message(self, number: int, inputs: Mapping[str, Any]) -> str:
        """Returns the message of a fault, with the values of the settings that are wrong."""
        said, given = self.faults[number], {**self._settings, **inputs}
        names = said.partition(":")[0].split(" and ")
        found = [_brief(np.asarray(given[n])) for n in names if given.get(n) is not None]
        return f"{said}, found {' and '.join(found)}" if found else said

    def flags(self, name: str, given: Any) -> Array:
        """Returns 1 or 0 of each contact, of such numbers or a list of names.

        Raises:
            ValueError: If it is neither.
        """
        contacts = self._evaluator.summary.contacts
        flags = checked_array(name, flags_of_names(name, given, contacts), (len(contacts),))
        refuse_no_flags(name, flags)
        return flags

    def results(self, method: str) -> dict[str, Array]:
        """Results of the last call of a method, also of one that failed."""
        return self._methods[method].results


def object_of(
    robot: Any, name: str, settings: Mapping[str, ArrayLike | str | None]
) -> CompiledObject:
    """An object of a robot that `robcogen_ros.build` or `load` gave; see CompiledObject.

    Raises:
        RobcogenError: If the robot lacks a function that the object calls, or as CompiledObject.
    """
    for function in OBJECTS[name].needs:
        robot._signature(function)
    return CompiledObject(robot._evaluator, name, settings)


def of_contacts(
    name: str,
    given: Mapping[str, Any] | None,
    contacts: Sequence[Contact],
    shape: tuple[int, ...],
    read: Callable[[str, Any], ArrayLike] = lambda _, value: value,
) -> Array | None:
    """An argument that has an array a contact, a contact a row; zero for those left out.

    A contact goes by its name, or by that of its frame; `read` makes numbers of what it has.

    Raises:
        TypeError: If `given` is no dictionary.
        ValueError: If it names no contact, or has an array of another shape.
    """
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise TypeError(f"{name}: expected a dictionary by contact, found {given!r}")
    array = np.zeros((len(contacts), *shape))
    places = numbers(contacts)
    for contact, value in given.items():
        if contact not in places:
            raise ValueError(f"{name}: '{contact}' is no contact{nearest(contact, places)}")
        values = np.asarray(read(contact, value), dtype=np.float64)
        if values.shape != shape:
            raise ValueError(f"{name}['{contact}']: expected shape {shape}, found {values.shape}")
        array[places[contact]] = values
    return array.reshape(len(contacts), -1) if shape else array


def _brief(values: Array) -> str:
    """Numbers for a message: one by itself, others in brackets."""
    return (
        f"{float(values.item()):.6g}" if values.size == 1 else np.array2string(values, precision=6)
    )


class _Prepared:
    """A method and the memory of its results."""

    def __init__(self, method: _Method, shapes: Callable[[Any, int], dict[str, Shape]]) -> None:
        self._call = method.call
        self._inputs = shapes(method.inputs, method.input_count)
        needed = [method.inputs[i] for i in range(method.input_count)]
        self._needed = [each.name.decode() for each in needed if not each.optional]
        outputs = shapes(method.outputs, method.output_count)
        self.results = {name: np.zeros(shape) for name, shape in outputs.items()}
        self._outputs = _pointers(list(self.results.values()))

    def call(self, owner: int, inputs: Mapping[str, ArrayLike | str | None]) -> int:
        arrays = _checked(inputs, self._inputs)
        missing = [name for name in self._needed if name not in arrays]
        if missing:
            raise TypeError(f"missing arguments: {', '.join(missing)}")
        given = _pointers([arrays.get(name) for name in self._inputs])
        return int(self._call(owner, given, self._outputs))


def _model_and_core(evaluator: Evaluator, name: str) -> tuple[int, ctypes.CDLL]:
    """The address of a robot that can have an object, and the library of objects."""
    model, summary, library = evaluator.model_address, evaluator.summary, OBJECTS[name].library
    known = {function.name for function in summary.functions}
    if model is None:
        raise RobcogenError(
            f"robot '{summary.name}' was compiled by an earlier version of robcogen_ros, without "
            f"what {OBJECTS[name].what} needs: build it again"
        )
    if not known.issuperset(needed_functions((name,), summary.contacts)):
        raise RobcogenError(
            f"the robot has no {name}: build it with {library}=True, "
            f"or {library.upper()} in robcogen_generate()"
        )
    with shown():
        return model, core_library(library, len(summary.coordinates), len(summary.contacts))


def _table(library: ctypes.CDLL, model: int, name: str) -> _Object:
    accessor = getattr(library, f"robcogen_core_{name}")
    accessor.restype = ctypes.POINTER(_Object)
    accessor.argtypes = (ctypes.c_void_p,)
    library.robcogen_core_size.restype = ctypes.c_size_t
    library.robcogen_core_size.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    table: _Object = accessor(model).contents
    return table


def _shape(argument: CArgument, library: ctypes.CDLL, model: int) -> Shape:
    """Shape of the array for an argument: a matrix is given by its columns, a vector has none."""
    rows, columns = (
        library.robcogen_core_size(model, size) for size in (argument.rows, argument.columns)
    )
    return (columns, rows) if columns else (rows,)


def _checked(
    given: Mapping[str, ArrayLike | str | None], shapes: Mapping[str, Shape]
) -> dict[str, Array]:
    unknown = given.keys() - shapes.keys()
    if unknown:
        raise TypeError(f"unexpected argument '{min(unknown)}'{hint(min(unknown), shapes)}")
    arrays = {}
    for name, value in given.items():
        if isinstance(value, str):
            if shapes[name] != _TEXT:
                raise TypeError(f"{name}: expected numbers, found the text {value!r}")
            arrays[name] = _characters(name, value)
        elif value is not None:
            single = np.ndim(value) == 0 and shapes[name] == (1,)
            array = checked_array(name, np.reshape(value, 1) if single else value, shapes[name])
            if array.shape != shapes[name]:
                raise ValueError(f"{name}: expected shape {shapes[name]}, found {array.shape}")
            arrays[name] = np.ascontiguousarray(array)
    return arrays


def _characters(name: str, text: str) -> Array:
    """A text as C has it, in the room of numbers.

    Raises:
        ValueError: If there is not so much room.
    """
    room = np.zeros(_TEXT)
    data = text.encode()
    if len(data) >= room.nbytes:
        raise ValueError(f"{name}: expected at most {room.nbytes - 1} bytes, found {len(data)}")
    room.view(np.uint8)[: len(data)] = np.frombuffer(data, np.uint8)
    return room


def text_of(room: Array) -> str:
    """The text in the room of numbers, as a method of an object hands it out."""
    return room.tobytes().partition(b"\0")[0].decode(errors="replace")


def _pointers(arrays: Sequence[Array | None]) -> Any:
    addresses = [None if array is None else array.ctypes.data for array in arrays]
    return (ctypes.c_void_p * len(addresses))(*addresses)

"""Python functions of numbers, or of arrays of them: one program each."""

from __future__ import annotations

from robcogen_ros.algorithms.functions.function import Argument
from robcogen_ros.backends.notation import wrapped
from robcogen_ros.backends.python.text import LANGUAGE, listed
from robcogen_ros.backends.robot_scripts import Result, Variant, update_script
from robcogen_ros.backends.variables import PARAMETERS
from robcogen_ros.model.scalars.operation import ATAN2, SELECT
from robcogen_ros.program.library import Library

TAKEN = frozenset(
    {
        *("Any", "Array", "ArrayLike", "Callable", "Decimal", "Mapping", "NamedTuple", "NDArray"),
        *("Real", "Sequence"),
        *("JOINT_NAMES", "LINK_NAMES", "FRAME_NAMES", "Parameters", "lru_cache", "math", "maths"),
        *("annotations", "array", "constants", "derived", "doubles", "evaluate", "from", "is_real"),
        *("objects", "of_objects", "of_one_state", "selection", "text", "update_parameters"),
    }
)
"""Names of the module that no function and no variable may have, some of them behind a `_`."""

_FUNCTIONS = {
    ATAN2: 'getattr(maths, "atan2", None) or maths.arctan2',
    SELECT: "_selection(maths)",
}
"""Operations in Python that NumPy has under another name, or no module has."""

_WIDTH = 88


def entry_of(argument: Argument | None, index: int, _: str) -> str:
    """The text of an entry of an argument, or of the parameters."""
    return f"{PARAMETERS if argument is None else argument.name}[{index}]"


def shape_of(argument: Argument) -> tuple[int, ...]:
    """Shape of the array given for an argument: vectors that are columns of a matrix in rows."""
    if argument.scalar:
        return ()
    if argument.matrix and argument.columns:
        return (argument.rows, argument.columns)
    return (argument.rows,) if argument.columns is None else (argument.columns, argument.rows)


def private(variant: Variant, name: str, *, takes_parameters: bool = False) -> dict[str, object]:
    """Returns the template's variables of a function of numbers, parameters last."""
    names = [argument.name for argument in variant.inputs]
    names += [PARAMETERS] if takes_parameters else []
    return {
        "name": name,
        "signature": _signature(name, names),
        "uses": [(o.name, _FUNCTIONS.get(o, f"maths.{o.name}")) for o in variant.calls],
        "reads": variant.reads,
        "sections": variant.body.sections,
        "results": [
            {"name": result.argument.name, "lines": _lines(result)} for result in variant.results
        ],
    }


def update(library: Library) -> dict[str, object]:
    """The function that computes what the others need of the parameters."""
    name = "_update_parameters"
    script = update_script(library, LANGUAGE, entry_of, TAKEN)
    return private(script, name, takes_parameters=True)


def _signature(name: str, arguments: list[str]) -> str:
    declared = ["maths: Any", *(f"{argument}: _Entries" for argument in arguments)]
    return listed(declared, "", 66 - len(name))


def _lines(result: Result) -> list[str]:
    """The entries of a result: a line for each row, or for each entry where they are long."""
    columns = 1 if result.argument.columns is None else result.argument.columns
    rows = [["0.0"] * columns for _ in range(result.argument.rows)]
    for row, column, text in result.entries:
        rows[row][column] = text
    lines = []
    for entries in rows:
        line = ", ".join(entries)
        whole = len(line) <= _WIDTH
        lines += [line] if whole else [wrapped(entry, " " * 8, _WIDTH) for entry in entries]
    return [line for line in lines if line]

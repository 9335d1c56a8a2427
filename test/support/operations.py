"""What programs compute, operation by operation: sines are those of the C library."""

from __future__ import annotations

import math

import numpy as np

from robcogen_ros.model.scalars import number
from robcogen_ros.model.scalars.operation import ATAN2, COS, SIN
from robcogen_ros.program.leaf import Input, Literal, ParameterValue
from robcogen_ros.runtime.evaluators.interpreted import addresses

_OF_THE_C_LIBRARY = {SIN: math.sin, COS: math.cos, ATAN2: math.atan2}


def reference(program, inputs, parameters=()):
    """Results of a program, operation by operation, in the order in which it was traced."""
    values = {}
    with np.errstate(all="ignore"):
        for node in program.graph.nodes:
            if node.operation is None:
                values[node] = leaf(node.leaf, inputs, dict(parameters))
            else:
                operands = [values[operand] for operand in node.operands]
                values[node] = computed(node.operation, operands)
    return {o.argument.name: np.array([values[n] for n in o.nodes]) for o in program.outputs}


def leaf(of, inputs, parameters):
    if isinstance(of, Literal):
        return np.float64(number.to_float(of.value))
    if isinstance(of, ParameterValue):
        return parameters[of.name]
    assert isinstance(of, Input)
    return inputs[of.name][of.index]


def computed(operation, operands):
    function = _OF_THE_C_LIBRARY.get(operation, operation.numeric)
    try:
        return np.float64(function(*operands))
    except ValueError:  # a sine of infinity
        return np.nan


def evaluated(code, inputs):
    """Results of code for one state, all arguments given by name."""
    arrays = [np.array(inputs[name], float) for name, _ in code.arguments]
    results = {name: np.full(size, np.inf) for name, size in code.results}
    code.run(*(addresses(a, [0] * len(a), 0) for a in (arrays, results.values())))
    return results

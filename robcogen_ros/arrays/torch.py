"""Robots that compute on PyTorch tensors: an operator of `torch.library`, and its derivatives."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from robcogen_ros.arrays.calls import ArrayCalls, Given, bits, given_by
from robcogen_ros.arrays.robots import robot_on
from robcogen_ros.extras import package
from robcogen_ros.runtime.arguments import array_shape, checked_array, refuse_shape, size
from robcogen_ros.runtime.evaluators.compiled import CompiledEvaluator
from robcogen_ros.runtime.robot import Robot
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot

_ROBOTS: dict[int, TorchCalls] = {}
"""Robots by the numbers that operators are given in place of them."""

_NUMBERS: dict[CompiledEvaluator, int] = {}
"""One number a compiled robot, whatever values its parameters have."""


def torch(robot: Robot, parameters: Any = None) -> FixedBaseRobot | FloatingBaseRobot:
    """Returns the robot with the same methods on PyTorch tensors of doubles, on processors.

    Their numbers are read where they lie. `torch.autograd`, `torch.func.vmap`, `jacrev` and `grad`
    differentiate functions whose derivatives are generated too: docs/arrays.md. Calls for many
    states are shared by as many threads as the robot has.

    Args:
        robot: A compiled robot; `batch=True` makes calls for many states fast.
        parameters: (P,) values of its parameters, in the order of `robot.parameters`; by default
            those that the robot has now.

    Raises:
        RobcogenError: If the robot is interpreted, or PyTorch is missing.

    Example:
        arm = robcogen_ros.build("arm.urdf", functions=["default", "derivatives"])
        robcogen_ros.torch(arm).inverse_dynamics(q, qd, qdd).square().sum().backward()
    """
    return robot_on(TorchCalls(robot, parameters))


class TorchCalls(ArrayCalls):
    """The functions of a robot on PyTorch tensors. See ArrayCalls."""

    library = "robcogen_ros.torch"

    def __init__(self, robot: Robot, parameters: Any = None) -> None:
        self._torch = package("torch", self.library)
        super().__init__(robot, parameters)
        self._number = _NUMBERS.setdefault(self.evaluator, len(_NUMBERS))
        _ROBOTS[self._number] = self

    def array(self, name: str, value: Any, shape: tuple[int, ...]) -> Any:
        """Returns a float64 tensor of PyTorch; warns where it converts single precision."""
        torch = self._torch
        listed = isinstance(value, list | tuple) and len(value)
        if listed and all(isinstance(part, torch.Tensor) for part in value):
            value = torch.stack(tuple(value))
        if not isinstance(value, torch.Tensor):
            return torch.from_numpy(np.array(checked_array(name, value, shape)))
        if value.device.type != "cpu":
            raise TypeError(f"{name}: expected a tensor on 'cpu', found one on '{value.device}'")
        if value.layout != torch.strided:
            raise TypeError(f"{name}: expected a dense tensor, found one of {value.layout}")
        if value.is_complex():
            raise TypeError(f"{name}: expected real numbers, found {value.dtype}")
        if value.dtype != torch.float64:
            if value.is_floating_point():
                message = f"{name}: {value.dtype} is converted to float64, in which robots compute"
                warnings.warn(message, stacklevel=6)
            value = value.to(torch.float64)
        refuse_shape(name, tuple(value.shape), shape)
        return value

    def compute(self, name: str, given: Given, arrays: Sequence[Any]) -> Sequence[Any]:
        """Computes a function's results by PyTorch, with derivatives."""
        number, function = self.index(name)
        which = self._number, number, bits(function, given)
        results: Sequence[Any] = _differentiable()(which, *arrays)
        return results

    def evaluate(self, name: str, given: Given, arrays: Sequence[Any]) -> list[Any]:
        """Returns flat outputs of flat arguments, by the compiled robot on the same memory."""
        parameters, *rest = (array.detach().numpy() for array in arrays)
        function = self.index(name)[1]
        shapes = {a.name: array_shape(a) for a in function.inputs}
        inputs = {
            key: array.reshape(*array.shape[:-1], *shapes[key])
            for key, array in zip(given[1:], rest, strict=True)
        }
        batch = np.broadcast_shapes(*(array.shape[:-1] for array in (parameters, *rest)))
        own = parameters.reshape(size(parameters.shape[:-1]), parameters.shape[-1])
        if len(own) == 1:
            found = self.evaluator.call(name, inputs, self.evaluator.constants(own[0]), batch)
            results = [found[a.name] for a in function.outputs]
        else:
            results = self._state_by_state(name, inputs, parameters, batch)
        tensors = (self._torch.from_numpy(np.ascontiguousarray(each)) for each in results)
        sizes = (size(array_shape(a)) for a in function.outputs)
        return [t.reshape(*batch, width) for t, width in zip(tensors, sizes, strict=True)]

    def _state_by_state(
        self, name: str, inputs: dict[str, Any], parameters: Any, batch: tuple[int, ...]
    ) -> list[Any]:
        """Returns results of states each of which has parameters of its own."""
        function = self.index(name)[1]
        shapes = {a.name: array_shape(a) for a in function.inputs}
        apart = {k: np.broadcast_to(v, (*batch, *shapes[k])) for k, v in inputs.items()}
        own = np.broadcast_to(parameters, (*batch, parameters.shape[-1]))
        rows = []
        for i in np.ndindex(*batch):
            constants = self.evaluator.constants(own[i].copy())
            one = {key: array[i] for key, array in apart.items()}
            rows.append(self.evaluator.call(name, one, constants, ()))
        return [np.concatenate([row[a.name] for row in rows]) for a in function.outputs]


def _called(robot: int, function: int, given: int) -> tuple[TorchCalls, str, Given]:
    """Returns what the numbers of a call stand for."""
    calls = _ROBOTS[robot]
    summary = calls.evaluator.summary.functions[function]
    return calls, summary.name, given_by(summary, given)


@lru_cache
def _operator() -> Any:
    """Returns the operator of all robots, `torch.ops.robcogen_ros.call`, without derivatives."""
    torch = package("torch", TorchCalls.library)

    def call(arrays: Sequence[Any], robot: int, function: int, given: int) -> list[Any]:
        calls, name, names = _called(robot, function, given)
        return calls.evaluate(name, names, arrays)

    def shapes(arrays: Sequence[Any], robot: int, function: int, given: int) -> list[Any]:
        calls, name, _ = _called(robot, function, given)
        batch = torch.broadcast_shapes(*(array.shape[:-1] for array in arrays))
        outputs = calls.index(name)[1].outputs
        return [arrays[0].new_empty((*batch, size(array_shape(a)))) for a in outputs]

    schema = "(Tensor[] arrays, int robot, int function, int given) -> Tensor[]"
    operator = torch.library.custom_op("robcogen_ros::call", call, mutates_args=(), schema=schema)
    operator.register_fake(shapes)
    return operator


@lru_cache
def _differentiable() -> Any:
    """Returns the operator with rules for its derivatives, and for `vmap`."""
    torch = package("torch", TorchCalls.library)

    def product(block: Any, tangent: Any) -> Any:
        return torch.einsum("...ij,...j->...i", block, tangent)

    class Call(torch.autograd.Function):  # type: ignore[misc,name-defined]
        """A call: the numbers of `_called`, then flat arrays."""

        @staticmethod
        def forward(which: tuple[int, int, int], *arrays: Any) -> tuple[Any, ...]:
            return tuple(_operator()([*arrays], *which))

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.which, *arrays = inputs
            ctx.set_materialize_grads(False)  # None where nothing moves
            ctx.save_for_backward(*arrays)
            ctx.save_for_forward(*arrays)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Any:
            calls, name, names = _called(*ctx.which)
            needed = dict(zip(names, ctx.needs_input_grad[1:], strict=True))
            wanted = [key for key in names if needed[key]]
            rows = calls.blocks(name, names, ctx.saved_tensors, wanted)
            found = dict.fromkeys(names)
            for i, key in enumerate(wanted):
                each = zip(rows, gradients, strict=True)
                parts = [product(row[i].mT, x) for row, x in each if x is not None]
                shape = ctx.saved_tensors[names.index(key)].shape
                found[key] = sum(parts).sum_to_size(shape) if parts else None
            return None, *found.values()

        @staticmethod
        def jvp(ctx: Any, which: Any, *tangents: Any) -> Any:
            calls, name, names = _called(*ctx.which)
            moving = {n: t for n, t in zip(names, tangents, strict=True) if t is not None}
            rows = calls.blocks(name, names, ctx.saved_tensors, [*moving])
            return tuple(sum(map(product, row, moving.values())) for row in rows)

        @staticmethod
        def vmap(info: Any, in_dims: Any, which: tuple[int, int, int], *arrays: Any) -> Any:
            front = [
                array.unsqueeze(0) if dim is None else array.movedim(dim, 0)
                for array, dim in zip(arrays, in_dims[1:], strict=True)
            ]
            results = Call.apply(which, *front)
            return results, (0,) * len(results)

    return Call.apply

"""Robots that compute on JAX arrays: compiled functions called by XLA, and their derivatives."""

from __future__ import annotations

import ctypes
import hashlib
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from robcogen_ros.arrays.calls import ArrayCalls, Given, bits
from robcogen_ros.arrays.robots import robot_on
from robcogen_ros.backends.render import include_directory
from robcogen_ros.errors import RobcogenError
from robcogen_ros.extras import package
from robcogen_ros.runtime.arguments import checked_array, refuse_shape
from robcogen_ros.runtime.compiling.compile import compiled_once
from robcogen_ros.runtime.robot import Robot
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot

_CALL = "robcogen_ros_call"
"""The name of the call in programs of XLA."""


def jax(robot: Robot, parameters: Any = None) -> FixedBaseRobot | FloatingBaseRobot:
    """Returns the robot with the same methods on JAX arrays of doubles, on processors.

    They can be transformed by `jax.jit`, `jax.vmap`, and, where a function's derivatives are
    generated too, by `jax.jvp`, `jax.vjp`, `jax.grad`: docs/arrays.md. States of a batch are
    shared among the threads of XLA.

    Args:
        robot: A compiled robot; `batch=True` makes calls for many states fast.
        parameters: (P,) values of its parameters, in the order of `robot.parameters`, which may be
            traced; by default those that the robot has now.

    Raises:
        RobcogenError: If the robot is interpreted, JAX is missing, computes in single precision
            only, or nothing compiles the call (once, 5 s).

    Example:
        arm = robcogen_ros.jax(robcogen_ros.build("arm.urdf", functions=["default", "derivatives"]))
        by_q = jax.jit(jax.vmap(jax.jacfwd(arm.inverse_dynamics)))(q, qd, qdd)
    """
    return robot_on(JaxCalls(robot, parameters))


class JaxCalls(ArrayCalls):
    """The functions of a robot on JAX arrays. See ArrayCalls."""

    library = "robcogen_ros.jax"

    def __init__(self, robot: Robot, parameters: Any = None) -> None:
        self._jax = package("jax", self.library)
        self._refuse_single()
        super().__init__(robot, parameters)
        self._key = _register(self.evaluator.library_path, self.evaluator.model_address)
        self._differentiable = lru_cache(maxsize=None)(self._make)

    def _refuse_single(self) -> None:
        if not self._jax.config.jax_enable_x64:
            raise RobcogenError(
                "robots compute in double precision, which JAX has switched off: "
                "jax.config.update('jax_enable_x64', True) before the first array is made"
            )

    def array(self, name: str, value: Any, shape: tuple[int, ...]) -> Any:
        """Returns a float64 array of JAX; warns where it converts single precision."""
        self._refuse_single()
        jax, jnp = self._jax, self._jax.numpy
        parts = jax.tree.leaves(value) if isinstance(value, list | tuple) else ()
        if any(isinstance(part, jax.Array) for part in parts):
            value = jnp.asarray(value)
        if not isinstance(value, jax.Array):
            return jnp.asarray(checked_array(name, value, shape))
        floating, *others = (
            jnp.issubdtype(value.dtype, kind) for kind in (jnp.floating, jnp.integer, jnp.bool_)
        )
        if not floating and not any(others):
            raise TypeError(f"{name}: expected real numbers, found {value.dtype}")
        if value.dtype != np.float64:
            if floating:
                message = f"{name}: {value.dtype} is converted to float64, in which robots compute"
                warnings.warn(message, stacklevel=6)
            value = value.astype(np.float64)
        refuse_shape(name, value.shape, shape)
        return value

    def compute(self, name: str, given: Given, arrays: Sequence[Any]) -> Sequence[Any]:
        """Computes a function's results by JAX, with derivatives."""
        results: Sequence[Any] = self._differentiable(name, given)(*arrays)
        return results

    def _make(self, name: str, given: Given) -> Callable[..., tuple[Any, ...]]:
        """Returns a function of flat arrays, with a rule for its derivatives."""
        jax, jnp = self._jax, self._jax.numpy
        number, function = self.index(name)
        attributes = {"robot": self._key, "function": number, "given": bits(function, given)}
        known = {key: np.int64(value) for key, value in attributes.items()}

        def plain(*arrays: Any) -> tuple[Any, ...]:
            sizes = [a.rows * (a.columns or 1) for a in function.outputs]
            called = jax.ffi.ffi_call(
                _CALL, self._results(arrays, sizes), vmap_method="expand_dims"
            )
            return tuple(called(*arrays, **known))

        def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
            zero = jax.custom_derivatives.SymbolicZero
            moving = {n: t for n, t in zip(given, tangents, strict=True) if not isinstance(t, zero)}
            results = called(*primals)
            if not moving:
                return results, tuple(jnp.zeros_like(each) for each in results)
            blocks = self.blocks(name, given, primals, [*moving])
            return results, tuple(sum(map(self._product, row, moving.values())) for row in blocks)

        called: Any = jax.custom_jvp(plain)
        called.defjvp(rule, symbolic_zeros=True)
        differentiable: Callable[..., tuple[Any, ...]] = called
        return differentiable

    def _results(self, arrays: Sequence[Any], sizes: Sequence[int]) -> Sequence[Any]:
        """Returns what JAX is to know of results: shapes, and axes of devices as arguments have.

        Axes along which arguments differ, in `shard_map`, are told by what has them: a sum of all.
        """
        jax, jnp = self._jax, self._jax.numpy
        batch = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
        shapes = [(*batch, size) for size in sizes]
        if not any(isinstance(array, jax.core.Tracer) for array in arrays):
            return [jax.ShapeDtypeStruct(shape, np.float64) for shape in shapes]

        def like(*arrays: Any) -> list[Any]:
            of_all = sum(map(jnp.sum, arrays))
            return [jnp.broadcast_to(of_all, shape) for shape in shapes]

        results: Sequence[Any] = jax.eval_shape(like, *arrays)
        return results

    def _product(self, block: Any, tangent: Any) -> Any:
        return self._jax.numpy.einsum("...ij,...j->...i", block, tangent)


def _register(library: str | None, model: int | None) -> int:
    """Makes a robot known to the call, for ever, and returns its key: that of its code."""
    if library is None or model is None:
        raise RobcogenError("the robot's library is of an earlier version: build it again")
    digest = hashlib.sha256(Path(library).read_bytes()).digest()
    key = int.from_bytes(digest[:8], "little", signed=True)
    _calls().robcogen_xla_register(ctypes.c_int64(key), ctypes.c_void_p(model))
    return key


@lru_cache
def _calls() -> ctypes.CDLL:
    """Returns the library with the call, compiled at first need, known to JAX."""
    ffi = package("jax.ffi", JaxCalls.library)
    sources = [include_directory() / "robcogen_ros" / "xla" / "call.cpp"]
    flags = ["-isystem", ffi.include_dir()]
    api = Path(ffi.include_dir()) / "xla" / "ffi" / "api"
    headers = api.glob("*.h")
    path = compiled_once("xla", sources, flags, headers, "the call of robots by XLA (once, 5 s)")
    library = ctypes.CDLL(str(path))
    ffi.register_ffi_target(_CALL, ffi.pycapsule(library.robcogen_xla_call), platform="cpu")
    return library

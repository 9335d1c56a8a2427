"""Functions of robots on JAX arrays beside their compiled batch: values, derivatives, time.

    python -m test.drivers.on_jax [--floating-base] FILE...

Values must be equal to the last bit; derivatives, of which each is taken in both modes, are those
that are generated. Times are nanoseconds of one core a state, the least of several calls in turns,
beside frax where it is installed (`pip install --no-deps frax networkx lxml pyyaml`; arXiv
2604.04310), with the settings that it recommends. Results of both lie in memory that was used
before, and then in fresh memory, whose pages cost time, too: malloc is told, for by itself it may
give the one to the batch and the other to JAX.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import time
import warnings
from pathlib import Path

import numpy as np

import robcogen_ros
from test.drivers.usage import usage

_STATES = 16384
_MAPPED_FROM, _TRIMMED_FROM = -3, -1
"""Settings of malloc, M_MMAP_THRESHOLD and M_TRIM_THRESHOLD."""
_FLAGS = (
    "--xla_cpu_multi_thread_eigen=false "
    "--xla_cpu_scheduler_type=CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--floating-base", action="store_true")
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    os.environ.setdefault("XLA_FLAGS", _FLAGS)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"{'':50} memory used before:    fresh memory:")
    timed = f"{'batch':>7} {'JAX':>7} {'ratio':>6}"
    print(f"{'robot':28} {'n':>3} values jacfwd  jacrev {timed} {timed} {'frax':>8} apart")
    for file in given.files:
        print(f"{Path(file).stem:28.28} {beside(file, given.floating_base)}", flush=True)


def beside(file: str, floating: bool) -> str:
    """Returns the columns of a robot."""
    import jax

    jax.config.update("jax_enable_x64", True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        name = "inverse_dynamics" + ("_fully_actuated" if floating else "")
        functions = [name, "inverse_dynamics_derivatives"]
        robot = robcogen_ros.build(file, functions=functions, floating_base=floating, batch=True)
    on_jax = robcogen_ros.jax(robot)
    one, many = getattr(on_jax, name), getattr(robot, name)
    inputs = _states(robot, floating)
    mapped = jax.jit(jax.vmap(one))
    arrays = [jax.numpy.asarray(each) for each in inputs]
    equal = all(map(np.array_equal, _listed(mapped(*arrays)), _listed(many(*inputs))))
    few = [each[:20] for each in inputs]
    own = robot.inverse_dynamics_derivatives(*few)
    errors = []
    for mode in (jax.jacfwd, jax.jacrev):
        found = jax.vmap(mode(one, argnums=(0, 1, 2)))(*few)
        errors.append(_error(found, own, floating))
    other, apart = _frax(file, robot, inputs, floating)
    calls = [lambda: many(*inputs), lambda: jax.block_until_ready(mapped(*arrays))]
    calls += [other] if other else []
    used, fresh = _times(calls, mapped_from=1 << 25), _times(calls, mapped_from=1 << 16)
    times = [f"{batch:7.1f} {xla:7.1f} {xla / batch:6.2f}" for batch, xla, *_ in (used, fresh)]
    frax = f"{used[2]:8.1f} {apart}" if other else "not installed"
    return f"{robot.n:3} {equal!s:6} {errors[0]:.1e} {errors[1]:.1e} {' '.join(times)} {frax}"


def _frax(file: str, robot, inputs: list[np.ndarray], floating: bool):
    """Returns a call of frax for the same states, and how far its forces are off ours.

    Forces are compared where both have the same coordinates, on a fixed base: frax moves joints
    that follow others apart, and has other conventions for a floating base.
    """
    try:
        from frax import Robot
    except ImportError:
        return None, ""
    import jax

    other = Robot(file, floating_base="quaternion" if floating else None)
    upward = jax.numpy.array([0.0, 0.0, 9.81, 0.0, 0.0, 0.0])
    rnea = jax.jit(jax.vmap(lambda q, v, a: other.rnea(q, v, a, upward, None)))
    if floating:
        random = np.random.default_rng(1)
        q = random.normal(size=(_STATES, robot.n + 7))
        q[:, 3:7] /= np.linalg.norm(q[:, 3:7], axis=1)[:, None]
        given, known = [q, *random.normal(size=(2, _STATES, robot.n + 6))], False
    else:
        known = set(other.joint_names) == set(robot.joint_names)
        order = [robot.joint_names.index(name) for name in other.joint_names] if known else []
        wide = np.random.default_rng(1).normal(size=(3, _STATES, len(other.joint_names)))
        given = [each[:, order] for each in inputs] if known else [*wide]
    arrays = [jax.numpy.asarray(each) for each in given]
    found, apart = np.asarray(rnea(*arrays)), ""
    if known:
        own = robot.inverse_dynamics(*inputs)[:, order]
        apart = f"{np.abs(found - own).max() / np.abs(own).max():.0e}"
    return lambda: jax.block_until_ready(rnea(*arrays)), apart


def _states(robot, floating: bool) -> list[np.ndarray]:
    random = np.random.default_rng(0)
    widths = [robot.n] * 3 + ([6, 6, 3] if floating else [])
    return [random.normal(size=(_STATES, width)) for width in widths]


def _listed(values) -> list[np.ndarray]:
    return [np.asarray(each) for each in (values if isinstance(values, tuple) else (values,))]


def _error(found, own, floating: bool) -> float:
    """Returns the largest difference of derivatives of joint forces, relative to the largest."""
    parts = found[0] if floating else found
    first = 6 if floating else 0
    expected = [each[..., first:, first:] for each in own]
    pairs = zip(parts, expected, strict=True)
    return max(float(np.abs(np.asarray(a) - b).max() / np.abs(b).max()) for a, b in pairs)


def _times(calls, mapped_from: int) -> list[float]:
    """Returns the least times of calls, each of which comes first in turn.

    Arrays of as many bytes lie in memory of their own, which goes back to the system with them.
    """
    for setting, value in ((_MAPPED_FROM, mapped_from), (_TRIMMED_FROM, 2**31 - 1)):
        ctypes.CDLL(None).mallopt(setting, value)
    least = [np.inf] * len(calls)
    for i in range(15 * len(calls)):
        which = (i + i // len(calls)) % len(calls)
        begin = time.process_time()
        calls[which]()
        least[which] = min(least[which], time.process_time() - begin)
    return [each / _STATES * 1e9 for each in least]


if __name__ == "__main__":
    with usage():
        main()

"""Shares states among two processes of two devices each by `shard_map`, and compares with one.

python -m test.drivers.jax_processes
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys

from test.drivers.usage import usage

_PROCESSES = 2


def main() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    flags = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    own = [sys.executable, "-m", "test.drivers.jax_processes", address]
    processes = [subprocess.Popen([*own, str(i)], env=flags) for i in range(_PROCESSES)]
    sys.exit(max(process.wait() for process in processes))


def compare(address: str, number: int) -> None:
    """Prints whether the states that lie in this process are those that one process computes."""
    import jax
    import numpy as np

    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(address, _PROCESSES, number)
    import robcogen_ros
    from test.arrays.leg import P, leg, states

    on_jax = robcogen_ros.jax(leg(), P)
    along = jax.sharding.PartitionSpec("states")
    mesh = jax.make_mesh((len(jax.devices()),), ("states",))
    placed = jax.sharding.NamedSharding(mesh, along)
    given = states(4000)
    parts = [jax.make_array_from_callback(x.shape, placed, x.__getitem__) for x in given]

    def error(q, qd, qdd):
        return (on_jax.inverse_dynamics(q, qd, qdd) ** 2).sum()

    for name, call in (("forces", on_jax.inverse_dynamics), ("gradient", jax.grad(error))):
        shared = jax.jit(jax.shard_map(call, mesh=mesh, in_specs=along, out_specs=along))
        whole = np.asarray(jax.jit(call)(*given))
        shards = shared(*parts).addressable_shards
        equal = all(np.array_equal(shard.data, whole[shard.index]) for shard in shards)
        devices = f"{len(shards)} of {len(jax.devices())} devices"
        print(f"process {number}: {name} on {devices} equal: {equal}", flush=True)
    jax.distributed.shutdown()


if __name__ == "__main__":
    with usage(__doc__):
        main() if len(sys.argv) == 1 else compare(sys.argv[1], int(sys.argv[2]))

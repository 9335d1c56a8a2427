"""Facts of this computer that decide how punctual its threads are."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer.

    Attributes:
        kernel: Release and kind of its kernel.
        preempt_rt: Whether that is fully preemptible.
        cpus: Number of CPUs.
        model: What its CPUs call themselves; empty if they do not.
        virtual: Whether it is a virtual machine.
        governor: How the clock rate of its CPUs is chosen; empty if unknown.
        isolated: CPUs that the scheduler leaves alone; empty if none.
    """

    kernel: str
    preempt_rt: bool
    cpus: int
    model: str
    virtual: bool
    governor: str
    isolated: str

    @classmethod
    def here(cls) -> Computer:
        """Returns the facts of this computer."""
        system, about = platform.uname(), _text("/proc/cpuinfo")
        realtime = "PREEMPT_RT" in system.version or _text("/sys/kernel/realtime") == "1"
        return cls(
            f"{system.system} {system.release} {system.machine}",
            realtime,
            os.cpu_count() or 1,
            _field(about, "model name"),
            "hypervisor" in _field(about, "flags").split(),
            _text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            _text("/sys/devices/system/cpu/isolated"),
        )


def _field(about: str, name: str) -> str:
    """Returns a field of the first CPU in /proc/cpuinfo; empty without it."""
    for line in about.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def _text(path: str) -> str:
    """A file of the kernel; empty where there is none."""
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""

"""Every run of the tests tries the same random examples; a search for new ones is asked for.

`python -m pytest --hypothesis-profile=search` tries others each time. Tests that run side by side
(`-n 2 --dist loadfile`) do not hear the nodes of each other.
"""

from __future__ import annotations

import gc
import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("repeatable")

# Programs are graphs of a million small objects that live: searches for dead ones take a fifth of
# the time, and find none.
gc.set_threshold(100_000)

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["ROS_DOMAIN_ID"] = str(1 + os.getpid() % 100)

"""Every run of the tests tries the same random examples; a search for new ones is asked for.

`python -m pytest --hypothesis-profile=search` tries others each time. Tests that run side by side
(`-n 2 --dist loadfile`) do not hear the nodes of each other.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("repeatable")

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ["ROS_DOMAIN_ID"] = str(1 + os.getpid() % 100)

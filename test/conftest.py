"""Every run of the tests tries the same random examples; a search for new ones is asked for.

`python -m pytest --hypothesis-profile=search` tries others each time.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile("repeatable")

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "robots",
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("robots")

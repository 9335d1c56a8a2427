from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

import pytest


@pytest.fixture(scope="session")
def comparisons(request):
    """The comparisons that the selected tests ask for, under way on two cores from the start."""
    from test.oracle.comparison import compare

    cases = [
        tuple(item.callspec.params[key] for key in ("name", "floating", "backend"))
        for item in request.session.items
        if "comparisons" in item.fixturenames and not item.get_closest_marker("skip")
    ]
    with ProcessPoolExecutor(max_workers=2) as pool:
        yield {case: pool.submit(compare, *case) for case in dict.fromkeys(cases)}
        pool.shutdown(cancel_futures=True)

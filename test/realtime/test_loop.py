"""The loop that measures punctuality, and its histograms."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.realtime.outcome import Histogram
from test.support.compiler import compile_program

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it asks Linux for its services")


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loop")
    return compile_program(Path(__file__).with_name("loop.cpp"), folder)


def output(*command, given=None):
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return done.stdout


def test_quantiles_are_those_of_the_samples_or_a_little_more(loop):
    samples = np.random.default_rng(0).lognormal(8, 3, 100_000).astype(np.int64)
    printed = json.loads(output(loop, "histogram", given=" ".join(map(str, samples))))
    histogram = Histogram.of(printed)
    assert (histogram.total, histogram.worst) == (samples.size, samples.max())
    assert histogram.mean == pytest.approx(samples.mean())
    for share in (0.001, 0.5, 0.9, 0.999, 0.99999):
        true = np.quantile(samples, share, method="inverted_cdf")
        assert true <= histogram.quantile(share) <= true * (1 + 1 / 64)
    assert histogram.quantile(0.999999) is None  # a hundred thousand cannot tell


def test_each_time_is_counted_once_in_the_bin_that_holds_it(loop):
    times = [0, 1, 63, 64, 65, 127, 128, 4095, 10**9, 10**15, -5]
    printed = json.loads(output(loop, "histogram", given=" ".join(map(str, times))))
    assert sum(count for _, _, count in printed["bins"]) == len(times)
    for time in times[1:9]:
        (bin_,) = (b for b in printed["bins"] if b[0] <= time <= b[1])
        assert bin_[1] - bin_[0] <= time / 64
    assert printed["bins"][0] == [0, 0, 2]  # negative times are zero


def test_cycles_that_come_too_late_are_missed_and_the_robot_moves_on(loop):
    cycles, warm_up = 200, 10
    printed = output(loop, "late", str(cycles))
    run, missed, advanced, allocations, slow = map(int, printed.split())
    assert run + missed >= cycles
    assert advanced >= run + missed + warm_up  # cycles of the warm-up may be missed, too
    assert slow > 0
    assert missed >= 2 * slow  # each slow cycle passes over two
    assert allocations == 4 * slow  # and makes a string and its text, and frees them

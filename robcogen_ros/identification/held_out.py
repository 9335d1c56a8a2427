"""Parts of recordings that are held out to judge what the others tell."""

from __future__ import annotations

import numpy as np

from robcogen_ros.recordings import Motion, Recording

_PIECES, _HELD = 10, (2, 7)
"""Pieces of a recording, and which of them are held out."""


def split(recording: Recording, motion: Motion, all_used: bool) -> tuple[Motion, Motion]:
    """Returns a motion's parts that are used and held out, without a window between them."""
    if all_used or motion.time is None:
        return motion, motion.rows(slice(0, 0))
    survey, smoothing = recording.survey, recording.smoothing
    piece = max(survey.duration / _PIECES, 1e-9)
    number = np.minimum((motion.time / piece).astype(int), _PIECES - 1)
    out = np.isin(number, _HELD)
    borders = piece * np.array([k for h in _HELD for k in (h, h + 1)])
    near = np.abs(motion.time[:, None] - borders).min(axis=1)
    apart = near >= (smoothing.window / 2 if smoothing else 0.0)
    return motion.rows(apart & ~out), motion.rows(apart & out)

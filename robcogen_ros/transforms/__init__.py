"""Frames, the motions between them, and the coordinate transforms that follow; no robot needed."""

"""Reads MJCF, MuJoCo's format, as a description of a robot: a step of the reading is a file."""

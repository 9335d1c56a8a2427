"""Robots in Python, and the functions that each kind has."""

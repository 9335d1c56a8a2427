"""Checks of a description as it is written."""

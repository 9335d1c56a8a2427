"""Readers and writers of robot descriptions; the rest of the package knows none of their words."""

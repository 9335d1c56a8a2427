"""Identified robots, written to a file, a page, a table."""

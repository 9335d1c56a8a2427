"""Parsing, running and exit codes of all commands."""

"""Helpers shared by tests: an oracle, random robots, how results are compared."""

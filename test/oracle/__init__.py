"""Comparison with Pinocchio over all robots of example-robot-data."""

"""Whole-body control, against Pinocchio and other solvers of its quadratic program."""

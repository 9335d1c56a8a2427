"""Functions that can be generated: each with its arguments, its results and its algorithm."""

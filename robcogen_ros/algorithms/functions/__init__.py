"""What can be generated: each function with its arguments, its results and its algorithm."""

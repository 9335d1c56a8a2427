"""Robots that compute on the arrays of other libraries, JAX and PyTorch, with derivatives."""

"""Compilers and what they make, kept in a cache."""

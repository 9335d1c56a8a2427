"""Rigid-body algorithms, each written once, as the textbook writes it, over any scalar."""

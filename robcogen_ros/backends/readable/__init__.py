"""Textbook renderings of functions: pages to read and check, that compile."""

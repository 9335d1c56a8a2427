"""Meshes that descriptions name, and their files."""

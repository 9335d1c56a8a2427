"""Passes: each makes a program smaller or other in form, and leaves its values as they are."""

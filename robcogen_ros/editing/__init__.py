"""Editing documents of the four languages: what a language server and a formatter know."""

"""Looks for documents that a reader neither reads nor refuses, for as long as it is told to."""

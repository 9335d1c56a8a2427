"""Tests of algorithms."""

"""Tests of identified robots."""

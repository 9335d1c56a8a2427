"""Tests of parameters where they are used: checked, exchanged between threads, swept."""

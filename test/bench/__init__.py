"""Tests of what measures speed: that it measures what it says, never how fast anything is."""

"""Octave and MATLAB."""

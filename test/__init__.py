"""Tests of robcogen_ros, a folder for each part of it."""

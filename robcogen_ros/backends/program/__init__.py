"""Programs as operation codes, for the interpreter in `include/robcogen_ros/interpreter`."""

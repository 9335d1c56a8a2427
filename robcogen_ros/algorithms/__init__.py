"""From a robot to its functions: mechanics, numbers that keep digits, and what can be generated."""

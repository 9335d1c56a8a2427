"""How fast a robot's generated functions are, beside what other libraries take for the same."""

"""Numbers, parameters, and operations on them."""

"""Programs of functions, run in NumPy, in the interpreter or compiled."""

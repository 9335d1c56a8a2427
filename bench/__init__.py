"""How fast the generated code is: `python -m bench`, or `make bench`."""

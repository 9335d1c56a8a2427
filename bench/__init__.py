"""How fast and how accurate the generated code is: `python -m bench`, or `make bench`."""

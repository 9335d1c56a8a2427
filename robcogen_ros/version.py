"""The version of this package; `package.xml` has the same."""

__version__ = "0.1.0"

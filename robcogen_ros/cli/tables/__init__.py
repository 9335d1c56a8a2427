"""Tables that `robcogen inspect` prints."""

"""Target languages: each turns programs into text, all from the same layout of statements."""

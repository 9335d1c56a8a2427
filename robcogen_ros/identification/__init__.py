"""Bodies that exist, of base parameters, and the descriptions that have them."""

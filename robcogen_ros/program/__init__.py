"""Programs: what tracing an algorithm on a robot gives, and the passes that make them small."""

"""Parameters of controllers and nodes: a table each, from which code and pages are rendered."""

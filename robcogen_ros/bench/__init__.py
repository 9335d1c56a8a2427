"""Speed of a robot's generated functions, beside that of other libraries."""

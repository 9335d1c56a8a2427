"""From base parameters to bodies that exist, and to the descriptions that have them."""

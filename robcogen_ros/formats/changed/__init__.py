"""Other numbers in the text of a description, all else as it was: comments, order, layout."""

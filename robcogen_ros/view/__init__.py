"""A robot in a browser, as its dynamics sees it: by `robcogen view`, as a page, as a picture."""

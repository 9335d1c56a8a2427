"""C99 for microcontrollers: pure functions of plain arrays, a header and a source."""

"""Programs that measure what pages and notes tell: `python -m test.drivers.NAME`."""

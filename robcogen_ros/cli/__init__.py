"""Commands: each module has a `main(argv)` that returns the exit code: 0 ok, 1 model, 2 usage."""

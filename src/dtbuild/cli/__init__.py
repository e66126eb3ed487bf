"""The dtbuild command: parse, one call, exit code."""

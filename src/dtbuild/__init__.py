"""dtbuild builds benchmark data sets of multi-party spoken decisions."""

__version__ = "0.1.0"

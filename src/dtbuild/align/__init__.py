"""Gives every spoken character its interval."""

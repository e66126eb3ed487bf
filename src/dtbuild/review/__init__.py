"""Checks scripts against their gold, one check a rule."""

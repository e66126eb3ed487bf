"""Speaks turns, checks takes and mixes recordings."""

"""Turns alignments into evidence windows of events."""

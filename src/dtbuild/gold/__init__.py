"""Designs gold decision trajectories from a blueprint; knows no text."""

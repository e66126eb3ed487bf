"""Writes dialogue scripts for planned trajectories."""

"""Frozen value types and nothing else."""

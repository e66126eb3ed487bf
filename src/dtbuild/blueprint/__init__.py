"""Loads and checks scenario blueprints."""

"""Builds, validates and shows released cohorts."""

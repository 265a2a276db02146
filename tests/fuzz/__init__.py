"""Hostile input for every reader of the package: made up, guided by coverage, kept."""

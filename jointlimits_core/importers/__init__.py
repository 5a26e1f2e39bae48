"""Limits read from the files of other programs."""

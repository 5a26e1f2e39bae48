"""Limits from the files of other programs."""

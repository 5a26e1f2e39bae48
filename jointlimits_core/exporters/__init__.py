"""Limits written as files for other programs."""

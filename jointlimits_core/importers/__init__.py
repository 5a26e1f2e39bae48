"""Limit sets from limits that files of other programs declare."""

"""Limits from other people, carried to any human skeleton."""

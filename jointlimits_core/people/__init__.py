"""Limits from other people, transferred to any human skeleton."""

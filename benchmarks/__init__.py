"""Figures of the project: measured here, printed with their targets and what they are beside."""

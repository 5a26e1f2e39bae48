"""Limit sets in the formats of other programs, each with what it cannot hold said in words."""

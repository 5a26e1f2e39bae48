"""Limit sets in the formats of other programs, with a list of what each cannot hold."""

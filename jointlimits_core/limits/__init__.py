"""Limit sets: records, document, layers, merge, comparison, priors."""

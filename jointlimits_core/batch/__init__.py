"""Batches of characters, sequential or parallel, with one result file per character."""

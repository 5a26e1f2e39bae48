"""Batches of characters: manifests, workers, one result file per character, an index."""

"""Bodies that were tracked one by one, and the skeleton that holds them together."""

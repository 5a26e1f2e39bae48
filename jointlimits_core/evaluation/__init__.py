"""Motions held against limits: violations, projection, and a preview of clamping."""

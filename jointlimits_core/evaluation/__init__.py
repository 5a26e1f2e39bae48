"""Comparison of motions with limits: violations, projection, and a preview of clamping."""

"""Comparison of the limits of many characters: ranges, outliers, performer differences."""

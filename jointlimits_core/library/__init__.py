"""The limits of many characters side by side: ranges, outliers, and who disagrees with whom."""

"""Batches of characters, sequential or parallel, with one result file per character.

Comparison of the limits of many characters: ranges, outliers, performer differences.

Batches of motion files and saved scenes without Maya, and manifests of folders.
"""

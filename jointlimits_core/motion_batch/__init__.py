"""Batches of motion files and saved scenes without Maya, and manifests of folders."""

"""Foundations: errors, findings, options, text, progress, registries."""

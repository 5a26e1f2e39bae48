"""Screening of clips: faults of single joints and of whole clips."""

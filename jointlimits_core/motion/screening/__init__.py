"""Screening of clips: faults in single joints and in whole clips."""

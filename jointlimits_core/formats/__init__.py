"""Readers and writers, one file format a module."""

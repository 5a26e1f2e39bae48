"""Tables of words, written as text."""

from __future__ import annotations


def words_of(text: str) -> tuple[str, ...]:
    """Words of a text."""
    return tuple(text.split())


def pairs_of(text: str) -> dict[str, str]:
    """Names and their values from "name:value" pairs."""
    return {name: value for name, _, value in (pair.partition(":") for pair in text.split())}

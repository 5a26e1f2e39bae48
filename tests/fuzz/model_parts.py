"""A model that lies in several files, as one input: each part begins with its name."""

from __future__ import annotations

import re

_HEAD = re.compile(rb"<!-- file (part\w{0,20}\.xml) -->\n")


def split_model(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """Text of the model itself, and of every part by its name.

    Parameters
    ----------
    data : bytes
    """
    model, *rest = _HEAD.split(data)
    return model, {name.decode("ascii"): text for name, text in zip(rest[::2], rest[1::2])}

"""Reads the streams of a page, one value after the other, as its script does."""

import base64
import json
import re
import zlib

import numpy as np


def data_of(text, identity):
    """The data block of a page with an id."""
    found = re.findall(f'<script type="application/json" id="{identity}">(.*?)</script>', text)
    assert len(found) == 1
    return json.loads(found[0])


def reader(packed, frames):
    """Function from the description of a stream to its values."""
    everything = zlib.decompress(base64.b64decode(packed))

    def read(stream):
        if isinstance(stream, int):
            return np.full(frames, stream)
        order, planes, start = stream
        values = []
        for frame in range(frames):
            word = sum(everything[start + p * frames + frame] << 8 * p for p in range(planes))
            values.append(word // 2 if word % 2 == 0 else -(word + 1) // 2)
        for _ in range(order):
            for frame in range(1, frames):
                values[frame] += values[frame - 1]
        return np.array(values)

    return read


def places(data, streams):
    """Places of points, (frames, points, 3), NaN where they are absent."""
    frames = sum(clip["count"] for clip in data["clips"])
    read = reader(data["packed"], frames)
    found = [[read(axis) for axis in point] for point in streams]
    return np.array(
        [
            np.where(there == 1, np.array([x, y, z]) * data["step"], np.nan).T
            for x, y, z, there in found
        ]
    ).swapaxes(0, 1)

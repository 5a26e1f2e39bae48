"""Reads a page: its elements, and its streams, one value after the other, as its script does."""

import base64
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser

import numpy as np


class Page(HTMLParser):
    """Elements, attributes and text; fails on tags that are not balanced."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.rows = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        # The page's security policy would refuse them.
        assert not any(key.startswith("on") or key in ("style", "src") for key in attributes)
        assert tag != "th" or attributes["scope"]
        self.tags.append((tag, attributes))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in ("meta", "img", "br", "hr", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data

    @property
    def names(self):
        """Names of all elements."""
        return [tag for tag, _ in self.tags]

    def values(self, key):
        """Values of an attribute, of all elements that have it."""
        return [attributes[key] for _, attributes in self.tags if key in attributes]


def content_of(text):
    """What a page says, as its script gets it."""
    return data_of(text, "page-data")["content"]


def pieces(content, kind):
    """All pieces of a content that are of a kind or have it as a class."""
    if isinstance(content, (list, tuple)):
        return [one for part in content for one in pieces(part, kind)]
    if not isinstance(content, dict):
        return []
    own = [content] if kind in (content.get("is"), *content.get("class", "").split()) else []
    return own + pieces(list(content.values()), kind)


def words_of(content):
    """All text that a content shows, in order."""

    def parts(one):
        if isinstance(one, (list, tuple)):
            return [word for part in one for word in parts(part)]
        if isinstance(one, dict):
            headed = ("title",) if one.get("is") in ("section", "fold") else ()
            keys = (*headed, "note", "label", "in", "heads", "cells", "rows", "name", "names")
            return [word for key in keys for word in parts(one.get(key))]
        return [] if one is None else [str(one)]

    return " ".join(" ".join(parts(content)).split())


def rows_of(content):
    """Rows of all tables, as texts of their cells."""
    rows = [row for table in pieces(content, "table") for row in table["rows"]]
    return [
        [words_of(cell) for cell in (row["cells"] if isinstance(row, dict) else row)]
        for row in rows
    ]


def only_script(text):
    """The one script of a page, which its policy allows by its digest."""
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text.replace("&#x27;", "'")
    return script


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

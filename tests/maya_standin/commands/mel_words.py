"""Words of MEL text."""

from __future__ import annotations

import re

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|[;{}()]|[^\s;{}()"]+', re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
SWITCHES = {"1": True, "0": False, "true": True, "false": False, "on": True, "off": False}


def tokens(text):
    """Give the words of MEL text without comments."""
    found = TOKEN.findall(text)
    return [token for token in found if not token.startswith(("//", "/*"))]


def unquote(token):
    """Give what a token of MEL means."""
    if not token.startswith('"'):
        return token
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), token[1:-1], flags=re.DOTALL)

"""Nearly valid and hostile files: every reader raises InputError, in bounded time."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import InputError
from jointlimits_core.base.text import printable
from tests.support.hostile_inputs import ACCEPTED, HOSTILE_INPUTS
from tests.support.readers import READERS

MAX_SECONDS = 20.0
"""Time limit for one file, which takes milliseconds, on a busy machine."""
MAX_GROWTH_BYTES = 600_000_000
"""Largest growth of the peak memory of the process by one file."""
MAX_MESSAGE_CHARS = 2000
CORPUS = json.loads(Path(__file__).with_name("hostile_corpus.json").read_text(encoding="utf-8"))
"""Small files by reader that broke it once, or are the only ones to reach a branch."""
TOKENS = (
    *("", "0", "-1", "1e308", "1e309", "nan", "-inf", "1e-320", "4294967296", "9" * 400, "1.5.2"),
    *("1,5", "null", "true", "{}", "[]", '"', "'", "\\", "{", "}", "(", ";", "<", "&lt;", "#"),
    *("\x00", "\r", "\n", "\x1b[2J", "\u202e", "\ufeff", "../../../etc/passwd", "a" * 2000),
)
KINDS = ("token", "token", "insert", "drop", "repeat", "flip", "cut")
TOKEN = re.compile(rb"[-+]?\d[\d.eE+-]*|\w+|\s+|.", re.DOTALL)


class HangError(BaseException):
    """A reader took too long; no reader catches this."""


@contextlib.contextmanager
def time_bound():
    """Interrupt a reader that takes too long."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_):
        raise HangError(f"more than {MAX_SECONDS:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def ending(reader, folder, data):
    """Message of the InputError, or that the file was accepted; anything else fails the test."""
    path = folder / f"input{reader.ending}"
    path.write_bytes(data)
    try:
        with time_bound():
            reader.read(path)
    except InputError as error:
        text = str(error)
        assert printable(text) == text
        assert len(text) < MAX_MESSAGE_CHARS
        return error.message
    return ACCEPTED


def peak_bytes():
    """Most memory that this process has held; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


EDITS = st.binary(min_size=26, max_size=26)
"""One to five changes as `change_bytes` reads them: one value is drawn faster than its parts."""


def change_bytes(data, edits):
    """Change a file: a byte says how often; then, five for each, where, how, how much, a token."""
    for start in range(1, 2 + 5 * (edits[0] % 5), 5):
        *place, kind, size, token = edits[start : start + 5]
        at = int.from_bytes(place, "big") * len(data) // 0xFFFF
        kind, size = KINDS[kind % len(KINDS)], 1 + size % 60
        new = TOKENS[token % len(TOKENS)].encode()
        if kind == "token":
            match = TOKEN.search(data, at)
            data = data[: match.start()] + new + data[match.end() :] if match else data + new
        elif kind == "insert":
            data = data[:at] + new + data[at:]
        elif kind == "drop":
            data = data[:at] + data[at + size :]
        elif kind == "repeat":
            data = data[:at] + data[at : at + size] * size + data[at:]
        elif kind == "flip":
            flipped = bytes(byte ^ 1 << size % 8 for byte in data[at : at + 1])
            data = data[:at] + flipped + data[at + 1 :]
        else:
            data = data[:at]
    return data


@pytest.fixture(scope="module", params=list(READERS))
def family(request, tmp_path_factory):
    """A reader, its folder, and a file that it accepts."""
    reader, folder = READERS[request.param], tmp_path_factory.mktemp(request.param)
    reader.prepare(folder)
    seed = reader.seed()
    assert ending(reader, folder, seed) == ACCEPTED
    return request.param, reader, folder, seed


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(EDITS)
def test_a_changed_file_is_read_or_refused(family, edits):
    _, reader, folder, seed = family
    ending(reader, folder, change_bytes(seed, edits))


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(EDITS)
def test_hundreds_of_changed_files_are_read_or_refused(family, edits):
    _, reader, folder, seed = family
    ending(reader, folder, change_bytes(seed, edits))


def test_files_that_broke_a_reader_once(family):
    name, reader, folder, _ = family
    for text in CORPUS.get(name, ()):
        ending(reader, folder, text.encode("latin-1"))


@pytest.mark.thorough
@pytest.mark.parametrize("name", HOSTILE_INPUTS)
def test_harm_ends_in_a_sentence_within_bounds(name, tmp_path):
    family, made, expected = HOSTILE_INPUTS[name]
    reader, data = READERS[family], made()
    reader.prepare(tmp_path)
    before = peak_bytes()
    found = ending(reader, tmp_path, data if isinstance(data, bytes) else data.encode())
    assert re.search(expected, found), found
    assert peak_bytes() - before < MAX_GROWTH_BYTES


def test_a_reader_that_hangs_is_stopped(monkeypatch, tmp_path):
    monkeypatch.setattr("tests.formats.test_reader_families.MAX_SECONDS", 0.1)
    endless = READERS["bvh"]._replace(read=lambda path: sum(1 for _ in iter(int, 1)))
    began = time.monotonic()
    with pytest.raises(HangError):
        ending(endless, tmp_path, b"")
    assert time.monotonic() - began < 10.0

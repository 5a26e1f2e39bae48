"""Statements and tokens of Maya ASCII files, of good ones and of hostile ones."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jointlimits_core.base.errors import MayaAsciiError
from jointlimits_core.formats.maya_ascii import lexer
from jointlimits_core.formats.maya_ascii.lexer import statements
from tests.support.budgets import budget
from tests.support.maya_scenes import write_scene
from tests.support.shared_data import shared_path

HEADER = b"//Maya ASCII 2024 scene\n"


def write(folder, body, name="a.ma"):
    path = folder / name
    path.write_bytes(body)
    return path


def words(path, **options):
    return [[token.text for token in s.tokens] for s in statements(path, **options)]


def test_statements_and_their_places(tmp_path):
    body = (
        HEADER + b'requires maya "2024";\n\n  createNode joint -n "a;b"\n\t-p "|x" ;setAttr ".t" 1;'
    )
    path = write(tmp_path, body)
    first, second, third = statements(path)
    assert [t.text for t in second.tokens] == ["createNode", "joint", "-n", "a;b", "-p", "|x"]
    assert [t.quoted for t in second.tokens] == [False, False, False, True, False, True]
    assert (first.line, second.line, second.column, third.line) == (2, 4, 3, 5)
    assert second.command == "createNode"
    assert body[second.start : second.end] == second.raw
    assert body[third.end - 1 : third.end] == b";"
    for token in (*second.tokens, *third.tokens):
        raw = body[token.start : token.end].decode()
        assert raw.strip('"') == token.text


def test_comments_are_blank_everywhere_but_in_strings(tmp_path):
    body = HEADER + (
        b'requires maya "2024"; // one; two\n/* "three; */ select /* ; */ -ne // x;\n "//no"; '
        b'setAttr ".s" -type "string" "a /* b */ // c";\n// end'
    )
    assert words(write(tmp_path, body))[1:] == [
        ["select", "-ne", "//no"],
        ["setAttr", ".s", "-type", "string", "a /* b */ // c"],
    ]


def test_strings_with_escapes_and_line_breaks(tmp_path):
    body = HEADER + b'requires maya "1"; a "q\\"\\\\;\\n\\t" "" "two\nlines" "\\a\\\\n";'
    assert words(write(tmp_path, body))[1] == ["a", 'q"\\;\n\t', "", "two\nlines", "a\\n"]


def test_bytes_that_are_not_utf8_survive(tmp_path):
    path = write(tmp_path, HEADER + b'createNode joint -n "b\xe4r" -p "\xc3\xa4";')
    (statement,) = statements(path)
    assert statement.tokens[3].text.encode("utf-8", "surrogateescape") == b"b\xe4r"
    assert statement.tokens[5].text == "ä"


def test_crlf_bom_and_a_last_comment_without_line_end(tmp_path):
    body = b"\xef\xbb\xbf//Maya ASCII 8.5 scene\r\nselect a;\r\n\r\nselect b;\r\n//x"
    found = list(statements(write(tmp_path, body)))
    assert [(s.line, s.command, s.tokens[1].text) for s in found] == [
        (2, "select", "a"),
        (4, "select", "b"),
    ]


def test_blocks_end_a_statement_without_semicolon(tmp_path):
    body = HEADER + b'if (1) { select "}"; { a; } } createNode joint; setAttr ".k[0:1]" 1 2;'
    assert [s.command for s in statements(write(tmp_path, body))] == ["if", "createNode", "setAttr"]


@pytest.mark.thorough
def test_keep_passes_over_bulk_without_holding_it(tmp_path):
    bulk = b'setAttr ".vt[0:99]" ' + b"0.25 " * 2_000_000 + b";"
    path = write(tmp_path, HEADER + b"select a;" + bulk + b"select b;")
    heads = []

    def keep(head):
        heads.append(head[:7])
        assert len(head) <= 256
        return head.startswith(b"select")

    tracemalloc.start()
    found = words(path, keep=keep)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [["select", "a"], ["select", "b"]]
    assert heads == [b"select ", b"setAttr", b"select "]
    assert peak < path.stat().st_size + 3_000_000


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (b"", "empty"),
        (b"FOR4\0\0\1\2Maya", "Maya binary"),
        (b"FOR8\0\0\1\2Maya", "Maya binary"),
        (b"\xff\xfe/\0/\0M\0", "binary"),
        (b"HIERARCHY\nROOT hip\n{\n}\n", "not a Maya ASCII scene"),
        (HEADER + b"select a;\nselect \0b;", ":3:8: a NUL"),
        (HEADER + b'select "a\0b";', ":2:10: a NUL"),
        (HEADER + b"select a;\n  createNode joint", ":3:3: this statement never ends"),
        (HEADER + b'select a;\nselect "a;\n', ":3:8: this string or comment is never closed"),
        (HEADER + b'select "a\\', ":2:8: this string"),
        (HEADER + b'select "a\\"', ":2:8: this string"),
        (HEADER + b"/* never closed", ":2:1: this comment is never closed"),
        (HEADER + b"select /* never closed", ":2:8: this string or comment"),
        (HEADER + b"a ({[" * 400 + b";", "more than 64 open braces"),
        (HEADER + b"{" * 1_000_000, ":2:65: more than 64 open braces"),
        (HEADER + b"x = " + b"(" * 1_000_000 + b")" * 1_000_000 + b";", "open braces"),
    ],
)
def test_bad_files_are_named_errors(tmp_path, body, part):
    path = write(tmp_path, body)
    with pytest.raises(MayaAsciiError) as caught:
        words(path)
    assert part in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("kept", [True, False])
def test_a_very_long_line_stops_at_the_limit(tmp_path, kept):
    limits = budget(max_statement_bytes=1000, max_skipped_bytes=1000)
    body = HEADER + b"setAttr " + b"1 " * 5000
    with pytest.raises(MayaAsciiError, match=r":2:1: this statement has more than 1000 bytes"):
        words(write(tmp_path, body), limits=limits, keep=lambda head: kept)
    text = HEADER + b'setAttr "' + b"x" * 5000 + b'";'
    with pytest.raises(MayaAsciiError, match="more than 1000 bytes, the maximum"):
        words(write(tmp_path, text), limits=limits, keep=lambda head: kept)


@pytest.mark.thorough
def test_a_gigabyte_without_a_semicolon_is_refused_in_bounded_memory(tmp_path):
    path = tmp_path / "huge.ma"
    with path.open("wb") as stream:
        stream.write(HEADER + b"setAttr ")
        piece = b"1 " * (1 << 19)
        for _ in range(100):
            stream.write(piece)
    tracemalloc.start()
    with pytest.raises(MayaAsciiError, match="more than 32 MB, the maximum"):
        words(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < path.stat().st_size + 2_000_000


def test_too_many_words_name_line_and_column(tmp_path):
    path = write(tmp_path, HEADER + b"a b c\nd e;")
    with pytest.raises(MayaAsciiError, match=":3:1: more than 3 words"):
        words(path, limits=budget(max_words=3))


@pytest.mark.parametrize("text", ['a "b', "/* c", "a //", 'x "\\', "/", '"'])
def test_pieces_of_text_need_not_be_closed(text):
    raw = text.encode()
    assert isinstance(lexer.Statement(raw, 1, 0, len(raw)).tokens, tuple)


@settings(deadline=None)
@given(st.lists(st.text(st.characters(blacklist_categories=["Cs"]), max_size=12), max_size=6))
def test_any_string_comes_back(tmp_path_factory, texts):
    texts = [text.replace("\0", "") for text in texts]
    escaped = [text.replace("\\", "\\\\").replace('"', '\\"') for text in texts]
    body = "x " + " ".join(f'"{text}"' for text in escaped) + ";"
    path = write_scene(tmp_path_factory.mktemp("any"), body)
    assert words(path)[-1] == ["x", *texts]


@pytest.mark.thorough
def test_real_files_lie_gapless():
    path = shared_path("data/maya/vtool/vtool_simple_cross_platform.ma")
    body = path.read_bytes()
    last = 0
    for statement in statements(path):
        assert body[statement.start : statement.end] == statement.raw
        between = body[last : statement.start].strip()
        assert between == b"" or between.startswith(b"//")
        assert statement.line == body.count(b"\n", 0, statement.start) + 1
        last = statement.end

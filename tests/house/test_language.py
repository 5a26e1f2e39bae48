"""Plain English with the field's terms, in everything that people read."""

from __future__ import annotations

import io
import re
import tokenize

import pytest

from tests.support.house_files import ROOT, maya_modules, package_modules, project_files

DIALECT = re.compile(
    r"\b(is told|are told|be told|told of|whoever|goes on yet|by the looks of|looked past"
    r"|looks past"
    r"|refused in words|in words an artist|nothing speaks against|another type than|as ever"
    r"|(?<!there )is no (?:angle|keyword|number|joint|limit set|directory|file)\b"
    r"|is no (?:array|plain array|zip|unit quaternion|preferred angle|result)\b"
    r"|that there (?:is|are) not|any more\b|goes on (?:as|where|in its)\b|of which only"
    r"|what they are of|all the same[.,;)]|\banew\b|stands (?:under|there|still)|looks alike"
    r"|is of (?:another|a different) character|has not (?:the|one)\b|standing for all|oddities"
    r"|way up\b|jump back, or behind|as a table what|could not be run where|only moves in step"
    r"|what is to go\b|would settle\b|all but 0\.0|have little evidence|until it is published"
    r"|larger than any published)",
    re.IGNORECASE,
)
OLD_NAMES = re.compile(
    r"_?(told|said|heard)(_by)?|test_\w*_(is|are|be|of|and)_(told(?!_apart)|said|heard)(_\w+)?"
)
HISTORY = {"CHANGELOG.md"}
"""A record of what was, in the words of its time."""
QUESTIONS = re.compile(r'(?:""")(What|Which|Who|Whose|Where|When|How)\b.*|\Ar?"""Whether\b.*')
"""Docstrings that begin with a question; "Whether" may begin all but those of modules."""


def readable():
    """Every file of ours that people read, the history excepted."""
    for path in project_files():
        name = path.relative_to(ROOT).as_posix()
        prose = path.suffix in {".md", ".py", ".json", ".js", ".mel"}
        if prose and not name.startswith("tests/") and name not in HISTORY:
            yield name, path.read_text(encoding="utf-8")


def test_no_word_of_the_old_dialect():
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for name, text in readable()
        for match in DIALECT.finditer(text)
    ]
    assert not found


def test_no_name_of_the_old_dialect():
    found = []
    for path in project_files():
        text = path.read_text(encoding="utf-8") if path.suffix == ".py" else ""
        if re.search("told|said|heard", text):
            for one in tokenize.generate_tokens(io.StringIO(text).readline):
                if one.type == tokenize.NAME and OLD_NAMES.fullmatch(one.string):
                    found.append(f"{path.relative_to(ROOT)}:{one.start[0]}: {one.string}")
    assert not found


def test_things_are_described_by_nouns_not_by_questions():
    found = []
    for path in (*package_modules(), *maya_modules()):
        text = path.read_text(encoding="utf-8")
        found += [f"{path.relative_to(ROOT)}: {one[0]}" for one in QUESTIONS.finditer(text)]
    assert not found


@pytest.mark.parametrize(
    "word", ["confirmed", "reached once", "may be wider", "no motion", "sure", "residual"]
)
def test_the_glossary_is_used(word):
    assert any(word in text for _, text in readable())

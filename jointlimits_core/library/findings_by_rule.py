"""Findings about the clips of a library: by rule, with the affected characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..finding_counts import QUIET, counted
from ..findings import Finding
from ..wording import LONGEST_MESSAGE, place_words, shortened


@dataclass
class _Rule:
    """Findings of one rule so far."""

    example: dict[str, Any]
    characters: dict[str, int] = field(default_factory=dict)


class FindingsByRule:
    """Findings of characters added one by one; only the first message of a rule is kept."""

    def __init__(self) -> None:
        self._rules: dict[str, _Rule] = {}

    def add(self, name: str, findings: Iterable[Finding]) -> None:
        """Add the findings of a character."""
        every = list(findings)
        for finding in every:
            if finding.rule not in self._rules:
                self._rules[finding.rule] = _Rule(_example(name, finding))
        for rule, count in counted(every).items():
            self._rules[rule].characters[name] = count

    def rows(self) -> list[dict[str, Any]]:
        """Plain data of each rule: reported rules first, then by number of characters.

        Returns
        -------
        list of dict
            ``told`` is whether the lines of a batch report the rule, ``characters`` has the
            number of findings per character, most first, ``example`` is one of them.
        """
        rows = [_row(rule, found) for rule, found in self._rules.items()]
        return sorted(rows, key=lambda row: (not row["told"], -len(row["characters"]), row["rule"]))


def _row(rule: str, found: _Rule) -> dict[str, Any]:
    ranked = sorted(found.characters.items(), key=lambda item: -item[1])
    return {
        "rule": rule,
        "told": rule not in QUIET,
        "findings": sum(found.characters.values()),
        "characters": [{"name": name, "findings": count} for name, count in ranked],
        "example": found.example,
    }


def _example(name: str, finding: Finding) -> dict[str, Any]:
    return {
        "character": name,
        "joint": finding.joint,
        "message": shortened(finding.message, LONGEST_MESSAGE),
        "place": place_words(finding),
    }

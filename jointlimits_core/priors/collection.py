"""Collection of published ranges, and its match to a character's joints."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any

from .body_parts import body_parts

FILE = Path(__file__).with_name("normal_ranges.json")


@dataclass(frozen=True)
class PriorSource:
    """Source of published figures.

    Parameters
    ----------
    kind : str
        "clinical" for measurements of people, "model" for ranges used in a simulation.
    """

    name: str
    kind: str
    title: str
    seen_in: str
    population: str
    terms: str


@dataclass(frozen=True)
class PriorFigure:
    """One published number: degrees from the anatomical position."""

    degrees: float
    source: PriorSource


@dataclass(frozen=True)
class PriorRange:
    """Normal range of a body part.

    Parameters
    ----------
    part : str
        One of :data:`jointlimits_core.priors.body_parts.PARTS`.
    motions : mapping of motion to tuple of PriorFigure
        By their anatomical names, such as "flexion".
    hinge : (str, str), optional
        For hinges: the motion with the large range, and its opposite.
    """

    part: str
    motions: Mapping[str, tuple[PriorFigure, ...]]
    hinge: tuple[str, str] | None = None

    def typical_deg(self, motion: str) -> float:
        """Median of the clinical figures; 0 if there are none."""
        return float(median(self._clinical(motion) or [0.0]))

    def widest_deg(self, motion: str) -> float:
        """Largest clinical figure; 0 if there are none."""
        return max(self._clinical(motion), default=0.0)

    def sources(self, motions: Sequence[str]) -> tuple[str, ...]:
        """Titles of the clinical sources of some motions, each once."""
        figures = (figure for motion in motions for figure in self.motions.get(motion, ()))
        clinical = (figure.source for figure in figures if figure.source.kind == "clinical")
        return tuple(dict.fromkeys(source.title for source in clinical))

    def _clinical(self, motion: str) -> list[float]:
        figures = self.motions.get(motion, ())
        return [figure.degrees for figure in figures if figure.source.kind == "clinical"]


def matched_prior(
    names: Sequence[str], labels: Mapping[str, str] | None = None
) -> dict[str, PriorRange]:
    """Normal ranges of recognized joints.

    Parameters
    ----------
    names : sequence of str
        All joints of the character.
    labels : mapping of joint name to part, optional
        Parts from Maya's joint labels or the user, which override the names. A part missing from
        the collection excludes the joint.

    Returns
    -------
    dict of joint name to PriorRange
        Only joints of limbs and fingers: the joints of a neck or spine share one anatomical motion
        in unknown proportions.
    """
    ranges = prior_ranges()
    parts = {**body_parts(names), **(labels or {})}
    return {name: ranges[parts[name]] for name in names if parts.get(name) in ranges}


@lru_cache(maxsize=1)
def prior_ranges() -> dict[str, PriorRange]:
    """The whole collection by body part."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    sources = {name: PriorSource(name, **fields) for name, fields in data["sources"].items()}
    motions: dict[str, dict[str, list[PriorFigure]]] = {}
    for row in data["ranges"]:
        figure = PriorFigure(float(row["deg"]), sources[row["source"]])
        motions.setdefault(row["part"], {}).setdefault(row["motion"], []).append(figure)
    return {
        part: PriorRange(
            part,
            {motion: tuple(figures) for motion, figures in found.items()},
            (pair[0], pair[1]) if (pair := data["hinges"].get(part)) else None,
        )
        for part, found in motions.items()
    }

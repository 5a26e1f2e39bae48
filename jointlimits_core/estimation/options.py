"""Options of an estimate: each declared once, for the API, the command line and the documents."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ..screening import LEFT_OUT_BY_DEFAULT, RULES

MODES = ("standard", "paper")
SYMMETRY = ("off", "report", "pool")
PRIOR = ("off", "report", "widen")
FRAMES = ("own", "advised")
STRICTNESS = ("lossless", "robust", "generous")
_CHOICES = {
    "mode": MODES,
    "strictness": STRICTNESS,
    "symmetry": SYMMETRY,
    "prior": PRIOR,
    "frame": FRAMES,
}
GENEROUS_DEG = 8.0
"""Median by which the hull of real joints must grow to hold another clip of the subject."""
MOST_SAMPLES = 1_000_000
"""Of one clip; several hours at any frame rate."""


def _option(default: Any, flag: str, metavar: str, text: str) -> Any:
    return field(default=default, metadata={"flag": flag, "metavar": metavar, "help": text})


@dataclass(frozen=True)
class EstimateOptions:
    """What the estimator is asked to do.

    Parameters
    ----------
    rest : str
        "bind", "first", "mean" or "frame:N".
    samples : str or int
        "all" frames, or that many, evenly spaced and interpolated.
    pad_deg : float
        Degrees added beyond every observed bound.
    strictness : str
        "lossless" (every sample is inside), "robust" (what only single frames reach is left out,
        and listed) or "generous" (lossless and :data:`GENEROUS_DEG` more on every side).
    symmetry : str
        Left and right: "off", "report" how they differ, or "pool": each side gets the range of
        both.
    prior : str
        Published normal ranges: "off", "report" where the data leave them, or "widen" hinges to
        them.
    advise : bool
        Advise on joint frames and rotate orders.
    frame : str
        Limits in the joints' "own" frames, or in the "advised" ones.
    joints : str
        Shell-style patterns of joint names, separated by commas.
    mode : str
        "standard", or "paper" for the publication as printed.
    limit_root : bool
        Give the root limits too.
    noise_deg : float, optional
        Noise of the rotations in degrees; estimated from the character if None.
    unlimited_gap_deg : float
        A channel whose largest empty stretch of the circle is smaller has no limit.
    skip_rules : tuple of str
        Screening rules that are not looked for.
    leave_out : tuple of str
        Screening rules whose frames take no part.

    Raises
    ------
    ValueError
        Naming the option and what it accepts.
    """

    rest: str = _option("bind", "--rest", "POSE", "rest pose: bind, first, mean or frame:N")
    samples: str | int = _option(
        "all", "--samples", "N", "all frames, or N evenly spaced ones, interpolated"
    )
    pad_deg: float = _option(0.0, "--pad", "DEG", "degrees to add beyond every observed bound")
    strictness: str = _option(
        "lossless",
        "--strictness",
        "HOW",
        "lossless: every sample inside; robust: single-frame outliers outside, and listed; "
        "generous: 8 degrees more than lossless",
    )
    symmetry: str = _option(
        "off", "--symmetry", "HOW", "left and right: off, report how they differ, or pool them"
    )
    prior: str = _option(
        "off", "--prior", "HOW", "published normal ranges: off, report, or widen hinges to them"
    )
    advise: bool = _option(
        False, "--advise", "", "advise on joint frames and rotate orders that fit the motion"
    )
    frame: str = _option(
        "own", "--frame", "WHICH", "limits in the joints' own frames, or in the advised ones"
    )
    joints: str = _option("*", "--joints", "PATTERN", "joint names to estimate, as L*,*Knee")
    mode: str = _option(
        "standard", "--mode", "MODE", "standard, or paper: the publication as printed"
    )
    limit_root: bool = _option(False, "--limit-root", "", "give the root limits too")
    noise_deg: float | None = _option(
        None, "--noise", "DEG", "noise of the rotations; estimated from the character by default"
    )
    unlimited_gap_deg: float = _option(
        30.0, "--unlimited-gap", "DEG", "a channel with a smaller gap on the circle has no limit"
    )
    skip_rules: tuple[str, ...] = _option(
        (), "--skip-rules", "RULES", "screening rules to turn off, separated by commas"
    )
    leave_out: tuple[str, ...] = _option(
        LEFT_OUT_BY_DEFAULT, "--leave-out", "RULES", "screening rules whose frames take no part"
    )

    def __post_init__(self) -> None:
        if self.rest not in ("bind", "first", "mean"):
            self.rest_frame()
        if self.samples != "all" and not (
            isinstance(self.samples, int) and 0 < self.samples <= MOST_SAMPLES
        ):
            raise ValueError(
                f"samples must be 'all' or a number from 1 to {MOST_SAMPLES}, not {self.samples!r}"
            )
        if not (math.isfinite(self.pad_deg) and 0.0 <= self.pad_deg < 180.0):
            raise ValueError(f"pad_deg must be from 0 to 180 degrees, not {self.pad_deg!r}")
        for name, words in _CHOICES.items():
            if getattr(self, name) not in words:
                raise ValueError(
                    f"{name} must be one of {', '.join(words)}, not {getattr(self, name)!r}"
                )
        if self.noise_deg is not None and not 0.0 <= self.noise_deg < 90.0:
            raise ValueError(f"noise_deg must be from 0 to 90 degrees, not {self.noise_deg!r}")
        if not 0.0 <= self.unlimited_gap_deg <= 360.0:
            raise ValueError(
                f"unlimited_gap_deg must be from 0 to 360, not {self.unlimited_gap_deg}"
            )
        for name in (*self.skip_rules, *self.leave_out):
            if name not in RULES:
                raise ValueError(f"no screening rule {name!r}; there is: {', '.join(RULES)}")

    @property
    def padding_deg(self) -> float:
        """Degrees that are added beyond every bound."""
        return self.pad_deg + (GENEROUS_DEG if self.strictness == "generous" else 0.0)

    def rest_frame(self) -> float:
        """Frame number of a rest pose that is given as ``frame:N``."""
        word, _, number = self.rest.partition(":")
        try:
            frame = float(number)
        except ValueError:
            frame = math.nan
        if word != "frame" or not math.isfinite(frame):
            raise ValueError(f"rest must be bind, first, mean or frame:N, not {self.rest!r}")
        return frame

    def to_dict(self) -> Mapping[str, Any]:
        """Plain data, as kept in the limit set."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return {
            key: list(item) if isinstance(item, tuple) else item for key, item in values.items()
        }

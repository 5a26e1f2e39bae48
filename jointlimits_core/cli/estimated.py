"""First step of the commands that estimate: read the inputs, estimate, name the result."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..estimation.options import EstimateOptions
from ..estimation.pipeline import estimate_pooled
from ..estimation.stillness import refuse_stillness
from ..estimation.summary import CharacterSummary
from ..limits.limit_set import LimitSet
from ..motion import Motion
from ..progress_line import ProgressLine
from .estimate_inputs import character_name, read_inputs


@dataclass(frozen=True, eq=False)
class Estimated:
    """Limits estimated from the inputs of a command, and their sources.

    Parameters
    ----------
    limit_set : LimitSet
        Named by the options, else after the clips.
    summary : CharacterSummary
        All clips pooled, including summaries among the inputs.
    """

    limit_set: LimitSet
    motions: Sequence[Motion]
    summary: CharacterSummary


def estimated(
    options: argparse.Namespace, asked: EstimateOptions, progress: ProgressLine
) -> Estimated | None:
    """Read the inputs and estimate; None, with a message printed, if any cannot be read.

    Raises
    ------
    EstimationError
        If the motions are of several characters, or nothing moves.
    """
    inputs = read_inputs(options, progress)
    if inputs is None:
        return None
    motions, known = inputs
    limit_set, summary = estimate_pooled(motions, asked, progress, known)
    refuse_stillness(limit_set)
    name = options.character or character_name(summary)
    return Estimated(replace(limit_set, character=name), motions, summary)

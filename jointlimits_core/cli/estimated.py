"""What the commands that estimate begin with: their inputs read, estimated and named."""

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
    """Limits of the inputs of a command, and what they come from.

    Parameters
    ----------
    limit_set : LimitSet
        Named as the options say, or after the clips.
    summary : CharacterSummary
        What all clips say, those of summaries among the inputs included.
    """

    limit_set: LimitSet
    motions: Sequence[Motion]
    summary: CharacterSummary


def estimated(
    options: argparse.Namespace, asked: EstimateOptions, progress: ProgressLine
) -> Estimated | None:
    """Read the inputs and estimate; None if any of them cannot be read, which was told then.

    Raises
    ------
    EstimationError
        For motions of several characters, or without any motion.
    """
    inputs = read_inputs(options, progress)
    if inputs is None:
        return None
    motions, known = inputs
    limit_set, summary = estimate_pooled(motions, asked, progress, known)
    refuse_stillness(limit_set)
    name = options.character or character_name(summary)
    return Estimated(replace(limit_set, character=name), motions, summary)

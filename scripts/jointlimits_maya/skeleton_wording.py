"""Result of building a skeleton, as sentences."""

from __future__ import annotations

import numpy as np

from jointlimits_core.bodies.body_fit import BodyFit
from jointlimits_core.wording import millimetres

from .names import short_name
from .skeleton_results import SkeletonResult
from .wording import counted


def skeleton_said(result: SkeletonResult) -> tuple[str, str]:
    """Sentence and details of a built skeleton."""
    made = sum(len(figure.joints) for figure in result.figures)
    roots = " and ".join(short_name(root) for root in result.roots)
    how = "following the tracks live" if result.constrained else "with a key on every frame"
    text = f"{counted(made, 'joint')} below {roots}, {how}; {_gaps(result.fit)}."
    if result.left_out:
        text += f" Left out: {counted(len(result.left_out), 'joint')} of a skeleton built earlier."
    doubts = [finding.message.rstrip(".") for finding in result.to_look_at]
    if doubts:
        more = f" (and {counted(len(doubts) - 1, 'more warning')})" if len(doubts) > 1 else ""
        text += f" Warning: {doubts[0]}{more}."
    return text, "\n".join(f"warning: {doubt}" for doubt in doubts)


def _gaps(fit: BodyFit) -> str:
    """Median and widest gap of the joints."""
    worst = max(fit.joints, key=lambda joint: joint.residual_m)
    usual = float(np.median([joint.residual_m for joint in fit.joints]))
    return (
        f"median joint gap {millimetres(usual)} mm, "
        f"widest {millimetres(worst.residual_m)} mm ({fit.names[worst.child]})"
    )

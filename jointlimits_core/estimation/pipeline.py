"""From motions to a LimitSet: screen, pool, decide types, measure ranges, check the rest pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from ..errors import EstimationError
from ..findings import Finding
from ..limits.limit_set import ClipRecord, JointLimit, LimitSet
from ..motion import Motion
from ..progress import Progress, tell
from ..sampling import resampled
from ..screening import Screened, screen
from .corrected import estimate_joints
from .options import EstimateOptions
from .paper import estimate_joints_as_printed
from .samples import Samples, matching_names, pooled


def estimate(
    motions: Motion | Sequence[Motion],
    options: EstimateOptions | None = None,
    progress: Progress | None = None,
) -> LimitSet:
    """Estimate joint types and joint limits of one character.

    Parameters
    ----------
    motions : Motion or sequence of Motion
        One clip or several of the same character; they are pooled.
    options : EstimateOptions, optional
    progress : callable, optional
        Called with (done, total, label) after each clip; returning False cancels.

    Returns
    -------
    LimitSet

    Raises
    ------
    EstimationError
        For no clips, clips of different characters, no matching joint, or no usable frame.
    Cancelled
        If `progress` returned False.
    """
    clips = [motions] if isinstance(motions, Motion) else sorted(motions, key=_clip_key)
    asked = options or EstimateOptions()
    if not clips:
        raise EstimationError("there is no motion to estimate limits from")
    for clip in clips:
        if len(clip.skeleton) == 0:
            raise EstimationError(f"clip {clip.name!r} has no joints")
    screened = []
    for number, clip in enumerate(clips):
        screened.append(_sampled(screen(clip, asked.skip_rules, asked.leave_out), asked))
        tell(progress, number + 1, len(clips), f"screened {clip.name}")
    samples = pooled(screened, clips)
    wanted = matching_names(samples.names, asked.joints)
    findings = [finding for item in screened for finding in item.findings]
    method = estimate_joints_as_printed if asked.mode == "paper" else estimate_joints
    # Every joint takes part even if few are asked for: the noise floor is that of the character.
    joints, rest_source = method(samples, asked)
    chosen = {name: joints[name] for name in wanted}
    return _limit_set(samples, asked, chosen, rest_source, findings)


def _clip_key(clip: Motion) -> tuple[str, str, float, float]:
    """Clips are sorted, so that the order in which they are given never matters."""
    sha256 = "" if clip.source is None else clip.source.sha256
    return clip.name, sha256, float(clip.frames[0]), float(clip.frames[-1])


def _sampled(clip: Screened, options: EstimateOptions) -> Screened:
    """Take the samples that were asked for, from what screening left."""
    if options.samples == "all":
        return clip
    even = resampled(replace(clip.motion, rotates=clip.rotates), int(options.samples))
    assert even.rotates is not None
    own = None if clip.motion.rotates is None else even.rotates
    return Screened(replace(even, rotates=own), even.rotates, clip.findings)


def _limit_set(
    samples: Samples,
    options: EstimateOptions,
    joints: dict[str, JointLimit],
    rest_source: str,
    findings: Sequence[Finding],
) -> LimitSet:
    for name, joint in joints.items():
        own = tuple(finding for finding in findings if finding.joint == name)
        joints[name] = replace(joint, findings=own + joint.findings)
    return LimitSet(
        character=samples.skeleton.name or samples.clips[0].name,
        joints=joints,
        clips=tuple(_clip_record(clip) for clip in samples.clips),
        rest_source=rest_source,
        mode=options.mode,
        options=options.to_dict(),
        findings=tuple(finding for finding in findings if finding.joint is None),
    )


def _clip_record(clip: Motion) -> ClipRecord:
    source = clip.source
    return ClipRecord(
        name=clip.name,
        file=None if source is None else PurePath(source.path).name,
        sha256=None if source is None else source.sha256,
        frames=clip.frame_count,
        first_frame=float(clip.frames[0]),
        last_frame=float(clip.frames[-1]),
        frame_rate=clip.frame_rate,
    )

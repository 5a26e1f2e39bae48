"""Results of projecting joints and keys, as sentences."""

from __future__ import annotations

from .projection_results import ProjectKeysResult, ProjectResult, StopResult
from .wording import counted, with_skipped


def project_said(result: ProjectResult) -> tuple[str, str]:
    """Sentence and details of keeping joints inside."""
    if not (result.projected or result.skipped):
        return "Nothing to do: these joints are already kept inside their shapes.", ""
    text = f"{counted(len(result.projected), 'joint')} kept inside by {result.form}"
    return with_skipped(text, result.skipped)


def stop_said(result: StopResult) -> tuple[str, str]:
    """Sentence and details of removing projections."""
    if not (result.stopped or result.skipped):
        return "Nothing to remove: these joints are not projected.", ""
    text = f"{counted(len(result.stopped), 'joint')} driven as before"
    return with_skipped(text, result.skipped)


def keys_said(result: ProjectKeysResult) -> tuple[str, str]:
    """Sentence and details of new keys."""
    if not (result.moved or result.skipped):
        return "Every key is inside.", ""
    keys = sum(len(one.frames) for one in result.moved)
    text = f"{counted(len(result.moved), 'joint')} moved inside at {counted(keys, 'key')}"
    worst = max(result.moved, key=lambda one: max(one.moved_deg), default=None)
    if worst is not None:
        text += f", most of all {worst.joint}, by {max(worst.moved_deg):.1f} degrees"
    left = [one for one in result.moved if one.outside_between]
    if left:
        frames = sum(one.outside_between for one in left)
        most = max(one.between_deg for one in left)
        text += (
            f"; between keys, the curves are still outside at {counted(frames, 'frame')}, by up to "
            f"{most:.1f} degrees: bake a key on every frame and run this again"
        )
    return with_skipped(text, result.skipped)

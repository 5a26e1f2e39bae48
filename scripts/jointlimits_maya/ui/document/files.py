"""Reading and saving the files that are open in the window."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jointlimits_core.base.text import names_words
from jointlimits_core.io.input import file_sha256
from jointlimits_core.io.output import write_text_atomically
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set
from jointlimits_core.motion import motion, name_matching


class DocumentError(ValueError):
    """An action that the open document does not allow; the message names the next step."""


@dataclass(frozen=True)
class OwnFile:
    """File that the document was opened from or last saved to, with its SHA-256 at that time."""

    path: Path
    digest: str


def check_exists(path: str | os.PathLike[str]) -> None:
    """Raise DocumentError for a file that does not exist."""
    if not os.path.exists(path):
        raise DocumentError(
            f"{path} was moved, renamed or deleted; open it from its new location, or save the "
            "limits again: they are still in this window"
        )


def read_limits(path: str | os.PathLike[str]) -> tuple[LimitSet, OwnFile]:
    """Read a limit set; raises DocumentError for a missing file, LimitSetError for a bad one."""
    check_exists(path)
    return read_limit_set(path), OwnFile(Path(path), _digest(path))


def renamed_clip(clip: motion.Motion, limits: LimitSet) -> motion.Motion:
    """Clip with its joints named as in a limit set; raises DocumentError if none match."""
    names = clip.joint_names
    if not name_matching.matched_joints(limits.joints, names):
        raise DocumentError(
            f"clip {clip.name} belongs to another character: the limits are for "
            f"{names_words(list(limits.joints))}, the clip has {names_words(names)}. Open the "
            "limits of the clip's character, or close these and estimate"
        )
    return motion.rename_joints(clip, limits.joints)


def joined_clips(
    open_clips: Sequence[motion.Motion], more: Iterable[motion.Motion]
) -> tuple[motion.Motion, ...]:
    """Open clips with more added; a clip that is read again is replaced, and names stay unique."""
    clips = {clip.name: clip for clip in open_clips}

    def place(clip: motion.Motion) -> str | None:
        return None if clip.source is None else os.path.realpath(clip.source.path)

    for clip in more:
        name, number = clip.name, 2
        while name in clips and place(clips[name]) != place(clip):
            name, number = f"{clip.name} ({number})", number + 1
        clips[name] = clip if name == clip.name else replace(clip, name=name)
    return tuple(clips.values())


def reject_input(
    path: str | os.PathLike[str], inputs: Iterable[str | os.PathLike[str]], other: str = ""
) -> None:
    """Raise DocumentError if the file to be written is one of the inputs."""
    if os.path.realpath(path) in {os.path.realpath(one) for one in inputs}:
        name = f", such as {other}" if other else ""
        raise DocumentError(
            f"{path} is one of the files that were read; save under another name{name}"
        )


def save_limits(
    limits: LimitSet,
    path: str | os.PathLike[str],
    own: OwnFile | None,
    inputs: Iterable[str | os.PathLike[str]],
    even_if_changed: bool = False,
) -> OwnFile:
    """Save a limit set atomically, as :meth:`.Document.save` does; `inputs` are not overwritten."""
    place = os.path.realpath(path)
    is_own = own is not None and place == os.path.realpath(own.path)
    if not is_own:
        reject_input(path, inputs, f"{Path(path).name.partition('.')[0]}.edited.limits.json")
    changed = is_own and own is not None and _digest(path, own.digest) != own.digest
    if changed and not even_if_changed:
        raise DocumentError(
            f"{path} was changed by someone else after it was opened; save under another name, or "
            "open it again and review the changes"
        )
    text = limits.to_json()
    write_text_atomically(path, text)
    return OwnFile(Path(path), hashlib.sha256(text.encode("utf-8")).hexdigest())


def _digest(path: str | os.PathLike[str], missing: str = "") -> str:
    return file_sha256(path) if os.path.lexists(path) else missing

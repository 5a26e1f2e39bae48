"""Reading and saving the files that are open in the window."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jointlimits_core.base.text import names_words
from jointlimits_core.formats.registry import TRACK_ENDINGS, motion_endings
from jointlimits_core.io.input import file_sha256
from jointlimits_core.io.output import write_text_atomically
from jointlimits_core.limits.limit_set import LimitSet, read_limit_set
from jointlimits_core.motion import motion, name_matching

ASF, JSON = ".asf", ".json"


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


@dataclass(frozen=True)
class Dropped:
    """Files that were dropped on the window, by what they hold."""

    limits: str | None
    motions: tuple[str, ...]
    skeleton: str | None


def sort_dropped(paths: Iterable[str]) -> Dropped:
    """Sort dropped files, and the motions of dropped folders.

    Raises DocumentError if a file is missing, holds neither, or is a folder or a skeleton without
    motion, or if several hold limits.
    """
    motions, found = (*motion_endings(), *TRACK_ENDINGS), list[str]()
    wanted = f"drop motions ({', '.join(motion_endings())}) or limits (.json)"
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        kinds = (*motion_endings(), ASF)
        inside = [name for name in sorted(os.listdir(path)) if name.lower().endswith(kinds)]
        if not any(name.lower().endswith(motion_endings()) for name in inside):
            raise DocumentError(f"{path} has no motion files; {wanted}")
        found += [os.path.join(path, name) for name in inside]
    for path in found:
        if not os.path.exists(path):
            raise DocumentError(f"{path} was moved, renamed or deleted; drop it from its new place")
        if not path.lower().endswith((*motions, ASF, JSON)):
            raise DocumentError(f"{path} holds neither motion nor limits; {wanted}")
    of_kind = {end: [one for one in found if one.lower().endswith(end)] for end in (JSON, ASF)}
    limits, skeleton = (next(iter(some), None) for some in of_kind.values())
    clips = tuple(one for one in found if one.lower().endswith(motions))
    if len(of_kind[JSON]) > 1:
        raise DocumentError(f"{names_words(of_kind[JSON])} hold limits; drop only one of them")
    if skeleton is not None and not clips:
        raise DocumentError(f"{skeleton} is a skeleton without motion; drop its .amc files, too")
    return Dropped(limits, clips, skeleton)


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

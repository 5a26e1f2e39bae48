"""A batch program without Maya: ``python -m tests.support.batch_of_files --manifest ...``.

Options of a character that begin with ``test_`` make trouble: ``test_wait`` seconds before the
estimate, ``test_die`` ends the process, ``test_chatter`` prints, ``test_bug`` raises, ``test_pid``
notes which process it was.
"""

from __future__ import annotations

import os
import sys
import time

from jointlimits_core.batch.command import BatchProgram, batch_main
from jointlimits_core.batch.results import Estimated
from jointlimits_core.estimation.options import EstimateOptions
from jointlimits_core.estimation.pipeline import estimate
from jointlimits_core.formats.registry import read_motion


def start():
    return _estimate


def _estimate(character, folder, progress):
    _trouble(character.options)
    clips = [
        read_motion(
            clip.path,
            skeleton=character.skeleton.path if character.skeleton else None,
            frame_rate=character.frame_rate,
        )
        for clip in character.clips
    ]
    copy = folder / "note.txt"
    process = f" by {os.getpid()}" if "test_pid" in character.options else ""
    copy.write_text(f"made for {character.name}{process}\n", encoding="utf-8")
    return Estimated(estimate(clips, _options(character)), files={".note.txt": copy})


def _trouble(options):
    if "test_chatter" in options:
        print("a plug-in says hello, without an end of line", end="", flush=True)
    time.sleep(options.get("test_wait", 0))
    if "test_die" in options:
        print("about to die", flush=True)
        os._exit(options["test_die"])
    if "test_bug" in options:
        raise KeyError(options["test_bug"])


def _options(character):
    known = {
        name: value for name, value in character.options.items() if not name.startswith("test_")
    }
    try:
        return EstimateOptions(**known)
    except TypeError as error:
        raise ValueError(str(error)) from None


def program():
    command = [sys.executable, "-m", "tests.support.batch_of_files"]
    return BatchProgram("batch-of-files", "files", start, _options, command)


def main(arguments=None):
    return batch_main(program(), arguments, "batch_of_files", __doc__)


if __name__ == "__main__":
    sys.exit(main())

"""Completion in shells, made from the commands' own declarations."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from jointlimits_core.cli.completion import completion_script
from jointlimits_core.cli.main import COMMANDS


def completed(*words, folder="."):
    """What bash offers for the last of the words."""
    path = shutil.which("bash")
    if path is None:
        pytest.skip("there is no bash on the path")
    text = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({text}); COMP_CWORD={len(words) - 1}; _jointlimits"
    script = f'{completion_script("bash")}\n{asked}\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    run = subprocess.run(
        [path, "-c", script], cwd=folder, capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()


def test_commands_flags_choices_and_files_are_completed(tmp_path):
    (tmp_path / "long walk.bvh").touch()
    known = {*COMMANDS, "--help", "--version"}
    assert set(completed("jointlimits", "")) == known
    for given, offered in {
        "est": ["estimate"],
        "completion z": ["zsh"],
        "estimate --symmetry = p": ["pool"],
        "estimate --symmetry=p": ["--symmetry=pool"],
        "estimate --symm": ["--symmetry"],
        "export --to mj": ["mjcf"],
        "estimate lon": ["long walk.bvh"],
    }.items():
        assert completed("jointlimits", *given.split(), folder=tmp_path) == offered
    options = completed("jointlimits", "estimate", "--symmetry", "")
    assert options == ["off", "report", "pool"]


@pytest.mark.parametrize("shell", ["zsh", "powershell"])
def test_other_shells_have_every_command_and_flag(shell):
    script = completion_script(shell)
    for word in (*COMMANDS, "--symmetry", "--input-budget"):
        assert word in script

"""Completion in shells, made from the commands' own declarations."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from jointlimits_core.cli.completion import completion_script
from jointlimits_core.cli.main import subcommands


def completed(*words):
    """What bash offers for the last of the words."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash on the path")
    text = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({text}); COMP_CWORD={len(words) - 1}; _jointlimits"
    script = f'{completion_script("bash")}\n{asked}\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    run = subprocess.run([bash, "-c", script], capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_commands_flags_and_choices_are_completed():
    assert completed("jointlimits", "est") == ["estimate"]
    assert set(completed("jointlimits", "")) == {*subcommands(), "--help", "--version"}
    assert completed("jointlimits", "completion", "z") == ["zsh"]
    assert completed("jointlimits", "estimate", "--symmetry", "=", "p") == ["pool"]
    assert completed("jointlimits", "estimate", "--symm") == ["--symmetry"]
    assert completed("jointlimits", "estimate", "--symmetry", "") == ["off", "report", "pool"]
    assert completed("jointlimits", "export", "--to", "mj") == ["mjcf"]


@pytest.mark.parametrize("shell", ["zsh", "powershell"])
def test_other_shells_have_every_command_and_flag(shell):
    script = completion_script(shell)
    for word in (*subcommands(), "--symmetry", "--input-budget"):
        assert word in script

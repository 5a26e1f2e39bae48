"""Subcommands: described without importing them."""

import subprocess
import sys
from importlib import import_module

import pytest

from jointlimits_core.cli.main import COMMANDS

HEAVY = """
import sys
from jointlimits_core.cli.main import main
main([{argument!r}])
print(*sorted(name for name in sys.modules if name == "numpy" or ".cli." in name))
"""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_subcommand_has_a_module(name):
    module = import_module(f"jointlimits_core.cli.{name.replace('-', '_')}")
    assert (module.__doc__ or "").startswith(f"``jointlimits {name}``: ")


@pytest.mark.thorough
@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_import_no_subcommand(argument):
    text = HEAVY.format(argument=argument)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.splitlines()[-1].split()}
    assert loaded == {"main", "output", "arguments"}

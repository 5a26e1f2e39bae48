"""Subcommands: found without a list, and described without importing them."""

import subprocess
import sys
from importlib import import_module

import pytest

from jointlimits_core.cli.main import subcommands

HEAVY = """
import sys
from jointlimits_core.cli import main
main([{argument!r}])
print(*sorted(name for name in sys.modules if name == "numpy" or ".cli." in name))
"""


@pytest.mark.parametrize("name", subcommands())
def test_the_help_is_that_of_the_module(name):
    module = import_module(f"jointlimits_core.cli.{name.replace('-', '_')}")
    assert subcommands()[name] == module.HELP
    assert (module.__doc__ or "").startswith(f"``jointlimits {name}``: ")


def test_every_subcommand_has_its_place():
    modules = [
        import_module(f"jointlimits_core.cli.{name.replace('-', '_')}") for name in subcommands()
    ]
    order = [module.ORDER for module in modules]
    assert order == sorted(set(order))


@pytest.mark.thorough
@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_import_no_subcommand(argument):
    text = HEAVY.format(argument=argument)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    loaded = {name.rpartition(".")[2] for name in done.stdout.splitlines()[-1].split()}
    assert loaded == {"main", "output", "arguments"}

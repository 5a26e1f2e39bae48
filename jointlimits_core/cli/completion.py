"""``jointlimits completion``: a script that completes commands, flags and choices in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from .output import print_text

BASH = """\
# Put this into ~/.bashrc: eval "$(jointlimits completion bash)"
_jointlimits() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words= start=
    local IFS=$IFS
    if [[ $word == = ]]; then word=
    elif [[ $word == --*=* ]]; then before=${{word%%=*}} start=${{word%%=*}}= word=${{word#*=}}
    elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    case "${{COMP_WORDS[1]}}:$before" in
{choices}
    esac
    if [[ -z $words && $COMP_CWORD -eq 1 ]]; then words="{commands} --help --version"; fi
    if [[ -z $words && $word == -* ]]; then
        case "${{COMP_WORDS[1]}}" in
{flags}
        esac
    fi
    if [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
    else IFS=$'\n'; COMPREPLY=($(compgen -f -- "$word")); fi
    COMPREPLY=("${{COMPREPLY[@]/#/$start}}")
}}
complete -o filenames -F _jointlimits jointlimits
"""
ZSH = """\
# Put this into ~/.zshrc: eval "$(jointlimits completion zsh)"
autoload -U +X bashcompinit && bashcompinit
"""
POWERSHELL = """\
# Put this into $PROFILE: jointlimits completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName jointlimits -ScriptBlock {{
    param($word, $ast, $cursor)
    $given = @($ast.CommandElements | ForEach-Object {{ $_.ToString() }})
    $words = @{{
{words}
    }}
    $key = if ($given.Count -gt 1) {{ $given[1] }} else {{ '' }}
    $before = $given[$(if ($word) {{ -2 }} else {{ -1 }})]
    $found = $words["${{key}}:$before"]
    if ($null -eq $found) {{ $found = $words[$key] }}
    if ($null -eq $found) {{ $found = $words[''] }}
    $found -split ' ' | Where-Object {{ $_ -like "$word*" }} | ForEach-Object {{
        [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
    }}
}}
"""


def add_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument("shell", choices=("bash", "zsh", "powershell"))


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    print_text(completion_script(options.shell).rstrip("\n"))
    return 0


def completion_script(shell: str) -> str:
    """Script for "bash", "zsh" or "powershell", made from the parsers of all commands."""
    parsers = dict(_parsers())
    flags = {name: " ".join(_flags(sub)) for name, sub in parsers.items()}
    commands = " ".join(parsers)
    if shell == "powershell":
        known = {"": commands, **flags}
        known.update(
            (f"{name}:{flag}", words)
            for name, sub in parsers.items()
            for flag, words in _choices(sub)
        )
        lines = [f"        '{name}' = '{words}'" for name, words in known.items()]
        return POWERSHELL.format(words="\n".join(lines))
    choices = [
        f'        {name}:{flag}) words="{words}" ;;'
        for name, sub in parsers.items()
        for flag, words in _choices(sub)
    ]
    script = BASH.format(
        choices="\n".join(choices),
        commands=commands,
        flags="\n".join(f'        {name}) words="{words}" ;;' for name, words in flags.items()),
    )
    return script if shell == "bash" else ZSH + script.partition("\n")[2]


def _parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Name and parser of every command."""
    # The whole parser imports every command, and this module with them.
    from .main import parser

    for action in parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _flags(sub: argparse.ArgumentParser) -> list[str]:
    return [flag for action in sub._actions for flag in action.option_strings if flag[1] == "-"]


def _choices(sub: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Flags that take one of several words, and those words; of a command itself, by its name."""
    for action in sub._actions:
        words = action.choices or _listed(str(action.metavar or ""))
        for flag in (action.option_strings or (sub.prog.split()[-1],)) if words else ():
            yield flag, " ".join(map(str, words))


def _listed(metavar: str) -> list[str]:
    """Words of a metavar such as ``{off,report,pool}``."""
    return metavar[1:-1].split(",") if metavar.startswith("{") else []

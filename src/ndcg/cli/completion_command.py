"""``ndcg completion``: scripts by which shells complete commands, options, presets and measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ndcg.cli.main import COMMANDS, DONE, write
from ndcg.cli.options import Parser, parsed
from ndcg.errors import one_of

EXAMPLES = """\
  ndcg completion bash >> ~/.bashrc
  ndcg completion zsh > "${fpath[1]}/_ndcg"
  ndcg completion fish > ~/.config/fish/completions/ndcg.fish
"""
SHELLS = ("bash", "zsh", "fish")


def run(given: Sequence[str]) -> int:
    """Print the script of a shell."""
    parser = Parser("completion", "what a shell needs to complete commands", EXAMPLES)
    parser.add_argument("shell", metavar="SHELL", help=", ".join(SHELLS))
    parser.add_argument("-h", "--help", action="store_true", help="this text")
    arguments = parsed(parser, given)
    if arguments is None:
        return DONE
    one_of("usage", "a shell", arguments.shell, SHELLS)
    script = {"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments.shell]
    write(script(options()))
    return DONE


class Option(NamedTuple):
    """An option of a command: its flags, what it is, and the values that are known."""

    flags: Sequence[str]
    what: str
    values: Sequence[str]
    valued: bool  # whether it takes a value


def options() -> Mapping[str, list[Option]]:
    """The options of the commands that have many, and the words that others take."""
    from importlib import import_module

    from ndcg.axes import AXES
    from ndcg.cli.main import COMMANDS
    from ndcg.measures.records import MEASURES
    from ndcg.presets import PRESETS

    known = {
        "--preset": [*PRESETS],
        "--measure": [*MEASURES],
        "--color": ["auto", "always", "never"],
        **{f"--{name.replace('_', '-')}": [*axis.words] for name, axis in AXES.items()},
    }
    found: dict[str, list[Option]] = {}
    for command, (home, _) in COMMANDS.items():
        module = import_module(home)
        parser_of = getattr(module, f"parser_of_{command}", None)
        if parser_of is not None:  # the others have a word or two, see below
            formats = {"--format": [*getattr(module, "FORMATS", ())]}
            found[command] = [*_options(parser_of(), known | formats)]
    found["trec-eval"] = _of_trec_eval()
    names = {"presets": [*PRESETS], "measures": [*MEASURES], "completion": [*SHELLS]}
    return {**found, **{
        command: [Option([], "", values, valued=False)] for command, values in names.items()
    }}  # fmt: skip


def _of_trec_eval() -> list[Option]:
    """The options of trec_eval, which has names of its own for measures."""
    from ndcg.compat.command import FORMATS
    from ndcg.compat.families import FAMILIES, nicknames

    return [
        Option(["-m"], "a measure or nickname", [*nicknames(10), *FAMILIES], valued=True),
        Option(["-q"], "the values of each query too", [], valued=False),
        Option(["-n"], "no summary", [], valued=False),
        Option(["-c"], "average over all judged queries", [], valued=False),
        Option(["-l"], "the lowest grade that is relevant", [], valued=True),
        Option(["-M"], "documents to keep of each ranking", [], valued=True),
        Option(["-J"], "judged documents only", [], valued=False),
        Option(["-N"], "documents in the collection", [], valued=True),
        Option(["-R"], "format of the judgments", FORMATS, valued=True),
        Option(["-Z"], "file of z-scores", [], valued=True),
        Option(["--compat"], "version of trec_eval", ["10", "9"], valued=True),
        Option(["-h"], "help", [], valued=False),
    ]


def _options(parser: Parser, known: Mapping[str, list[str]]) -> Iterator[Option]:
    """The options of a parser, with the values that are known for them."""
    for action in parser._actions:  # noqa: SLF001 -- argparse has no other way to ask
        flags = [*action.option_strings]
        if flags and action.help != "==SUPPRESS==":
            values = next((known[flag] for flag in flags if flag in known), [])
            yield Option(flags, str(action.help), values, action.nargs != 0)


def _flagged(options: Mapping[str, list[Option]]) -> dict[str, list[Option]]:
    """The commands that have options."""
    return {command: given for command, given in options.items() if given[0].flags}


def _bash(options: Mapping[str, list[Option]]) -> str:
    cases = []
    for command, given in _flagged(options).items():
        cases += [f"    {command})", '      case "$before" in']
        for option in given:
            if option.values:
                flags = "|".join(option.flags)
                open_end = "compopt -o nospace; " if "--measure" in option.flags else ""
                cases.append(f'      {flags}) {open_end}COMPREPLY=($(compgen -W '
                             f'"{" ".join(option.values)}" -- "$word")); return ;;')  # fmt: skip
        flags = " ".join(flag for option in given for flag in option.flags)
        cases += [
            "      esac",
            '      if [[ "$word" == -* ]]; then',
            f'        COMPREPLY=($(compgen -W "{flags}" -- "$word"))',
            "      else",
            '        COMPREPLY=($(compgen -f -- "$word"))',
            "      fi ;;",
        ]
    words = [f'    {command}) COMPREPLY=($(compgen -W "{" ".join(one.values)}" -- "$word")) ;;'
             for command, (one, *_) in options.items() if not one.flags]  # fmt: skip
    return f"""\
# bash completion for ndcg
_ndcg() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{" ".join(COMMANDS)} --help --version" -- "$word")); return
  fi
  case "${{COMP_WORDS[1]}}" in
{chr(10).join(words)}
    demo)
      if [ "$before" = --files ]; then COMPREPLY=($(compgen -d -- "$word"));
      else COMPREPLY=($(compgen -W "--files --help" -- "$word")); fi ;;
{chr(10).join(cases)}
  esac
}}
complete -o filenames -F _ndcg ndcg
"""


def _zsh(options: Mapping[str, list[Option]]) -> str:
    commands = " ".join(f"'{name}:{what}'" for name, (_, what) in COMMANDS.items())
    cases = []
    for command, given in _flagged(options).items():
        cases += [f"    {command}) _arguments \\", *_zsh_arguments(given), "    '*:file:_files' ;;"]
    words = [f"    {command}) _values {command} {' '.join(one.values)} ;;"
             for command, (one, *_) in options.items() if not one.flags]  # fmt: skip
    return f"""\
#compdef ndcg
# zsh completion for ndcg
_ndcg() {{
  if (( CURRENT == 2 )); then
    local -a commands=({commands})
    _describe command commands
    return
  fi
  shift words; (( CURRENT-- ))
  case $words[1] in
{chr(10).join(words)}
    demo) _arguments '--files[write the files to a folder]:folder:_files -/' ;;
{chr(10).join(cases)}
  esac
}}
if [ "$funcstack[1]" = "_ndcg" ]; then _ndcg "$@"; else compdef _ndcg ndcg; fi
"""


def _zsh_arguments(given: Sequence[Option]) -> Iterator[str]:
    """The options of a command as `_arguments` takes them."""
    for option in given:
        what = option.what.replace("'", "'\\''").replace("[", "(").replace("]", ")")
        what = what.replace(":", "\\:")
        value = f":value:({' '.join(option.values)})" if option.values else ":value:_files"
        for flag in option.flags:
            yield f"    '*{flag}[{what}]{value if option.valued else ''}' \\"


def _fish(options: Mapping[str, list[Option]]) -> str:
    lines = ["# fish completion for ndcg"]
    for name, (_, what) in COMMANDS.items():
        lines.append(f"complete -c ndcg -n __fish_use_subcommand -f -a {name} -d '{what}'")
    for command, given in options.items():
        here = f"complete -c ndcg -n '__fish_seen_subcommand_from {command}'"
        for option in given:
            if not option.flags:
                lines.append(f"{here} -f -a '{' '.join(option.values)}'")
                continue
            names = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                             for flag in option.flags)  # fmt: skip
            what = option.what.replace("\\", "\\\\").replace("'", "\\'")
            values = f" -x -a '{' '.join(option.values)}'" if option.values else (
                " -r" if option.valued else "")  # fmt: skip
            lines.append(f"{here} {names}{values} -d '{what}'")
    here = "complete -c ndcg -n '__fish_seen_subcommand_from demo'"
    lines.append(f"{here} -l files -r -d 'write the files to a folder'")
    return "\n".join(lines) + "\n"

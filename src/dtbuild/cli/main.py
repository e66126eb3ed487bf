"""The `dtbuild` command: finds the subcommand, turns errors into one message and an exit code.

Exit codes: 0 done, 1 a run that ended incomplete, 2 something the user gave cannot be used. Subcommands are
imported when they are called, so that `dtbuild --help` loads no numeric or speech library.
"""

from __future__ import annotations

import importlib
import io
import sys

import click

from dtbuild import __version__
from dtbuild.errors import DtbuildError

COMMANDS = {
    "generate": "Build a cohort of spoken dialogues from a scenario or a config.",
    "scenarios": "List the scenarios, or check a blueprint.",
    "show": "Read one recording with its decision chains, or the texts of a family side by side.",
    "validate": "Check a released cohort: schemas, hashes, chains, windows.",
    "stats": "Print the figures of a cohort.",
    "assets": "Fetch and check model and voice files.",
    "doctor": "List every engine, whether it can run here, and what to install if not.",
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"dtbuild.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.version_option(__version__, prog_name="dtbuild")
def main(debug: bool) -> None:
    """Build benchmark data sets of multi-party spoken decisions."""


def run(arguments: list[str] | None = None) -> None:
    """Entry point: run the command and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without 汉字 is no reason to fail
    given = sys.argv[1:] if arguments is None else arguments
    # --debug counts wherever it stands: it is most often added to the end of a command that failed
    sys.exit(call([each for each in given if each != "--debug"], debug="--debug" in given))


def call(arguments: list[str], *, debug: bool) -> int:
    """Run the command in this process, print what goes wrong as one message, and return the exit code."""
    try:
        main.main(args=arguments, prog_name="dtbuild", standalone_mode=False)
    except DtbuildError as error:
        return _fail(error, str(error), error.exit_code, debug)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("dtbuild: stopped; what is made is kept: run the same command again to resume", err=True)
        return 1
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _fail(error, f"{place}{error.strerror or error}; next: mend this and run again", 1, debug)
    except MemoryError as error:
        return _fail(error, "no memory left; next: free some, or run with fewer --jobs: it resumes", 1, debug)
    except Exception as error:
        what = f"internal fault: {type(error).__name__}: {error}"
        return _fail(error, f"{what}; next: report it with what --debug prints", 1, debug)
    return 0


def _fail(error: Exception, message: str, code: int, debug: bool) -> int:
    if debug:
        import traceback

        traceback.print_exception(error)
    click.echo(f"dtbuild: {message}", err=True)
    return code

"""The exception tree.

DtbuildError                     base: never raised itself
├── UserError                    exit 2: something the user gave cannot be used
│   ├── SettingsError            a YAML or config file has faults (all of them are listed)
│   ├── BlueprintError           a blueprint is malformed, or breaks the rules of the benchmark
│   ├── UnknownName              a scenario, stage, voice or recording that does not exist
│   ├── FolderError              an output folder in use, or of another config
│   ├── FormatError              a file of another format or version, or one that breaks its schema
│   ├── AssetError               a model or voice file is missing or corrupt
│   ├── MissingExtra             a package that an optional part needs is not installed
│   └── Unspeakable              a character or term without a spoken form
└── RunError                     exit 1: a run that ended incomplete
    ├── Incomplete               named items were rejected, quarantined or interrupted
    ├── SynthesisError           an engine failed on one turn
    ├── AlignmentError           an aligner failed on one turn
    └── StorageError             disk full or a file that cannot be written

Every message says what item, what was expected, what was found and what to do next.

>>> print(UnknownName("scenario 'supply_chian'", expected=closest("supply_chian", ["supply_chain"]), fix="correct it"))
scenario 'supply_chian'; expected perhaps supply_chain; next: correct it
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DtbuildError(Exception):
    """Base of every error dtbuild raises on purpose; carries the parts of its message.

    `turn`: the id of the one turn at fault, for whoever can speak it again; the message names it anyway.
    """

    exit_code = 1

    def __init__(
        self,
        what: str,
        *,
        expected: str | None = None,
        found: str | None = None,
        fix: str | None = None,
        turn: str | None = None,
    ) -> None:
        self.what, self.expected, self.found, self.fix = what, expected, found, fix
        self.turn = turn
        parts = [what]
        parts += [f"expected {expected}"] if expected else []
        parts += [f"found {found}"] if found else []
        parts += [f"next: {fix}"] if fix else []
        super().__init__("; ".join(parts))

    def __reduce__(self) -> tuple[object, ...]:
        # keyword-only arguments do not survive the default pickling between worker processes
        return _rebuild, (type(self), self.what, self.expected, self.found, self.fix, self.turn)


class UserError(DtbuildError):
    exit_code = 2


class SettingsError(UserError):
    pass


class BlueprintError(UserError):
    pass


class UnknownName(UserError):
    pass


class FolderError(UserError):
    pass


class FormatError(UserError):
    pass


class AssetError(UserError):
    pass


class MissingExtra(UserError):
    pass


class Unspeakable(UserError):
    pass


class RunError(DtbuildError):
    exit_code = 1


class Incomplete(RunError):
    pass


class SynthesisError(RunError):
    pass


class AlignmentError(RunError):
    pass


class StorageError(RunError):
    pass


def closest(name: str, known: Iterable[str]) -> str:
    """What a message expects in place of an unknown name: the closest ones, or where none is close the first eight.

    >>> closest("viper", ["viter", "even"]), closest("mfa", ["viter", "even"])
    ('perhaps viter', 'one of viter, even')
    """
    names = list(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if near:
        return f"perhaps {' or '.join(near)}"
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"one of {', '.join(names[:8])}{more}"


def _rebuild(
    kind: type[DtbuildError],
    what: str,
    expected: str | None,
    found: str | None,
    fix: str | None,
    turn: str | None = None,
) -> DtbuildError:
    return kind(what, expected=expected, found=found, fix=fix, turn=turn)

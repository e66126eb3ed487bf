"""What an aligner is: turns with their audio in, one interval for every 汉字 out.

What is given together is one recording or part of it. A voice's times depend on the takes and texts of that voice
there and on the model alone: not on the other voices, the number of jobs or what else is aligned in the run. Times
are samples from where the turns' offsets count.

Between two characters of a turn either nothing lies, and the second starts on the sample where the first ends,
or a pause lies, which belongs to neither. A character is never empty. Pauses at the edges of a take belong to
no character.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from dtbuild.errors import AlignmentError
from dtbuild.records.sound import TurnAlignment
from dtbuild.records.spoken import Spoken
from dtbuild.timebase import RATE

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TurnAudio:
    """One turn to align. `audio` is a 24 kHz mono file or its samples in [-1, 1]; `offset` is the sample of
    the recording at which it starts; `speaker` is the voice: turns of one voice are normalised together.
    """

    turn: str
    spoken: Spoken
    speaker: str
    audio: Path | NDArray[float32]
    offset: int = 0


class Aligner(Protocol):
    """An aligner of turns of one recording. `fingerprint` names code, version and model: it changes when times may."""

    name: str
    fingerprint: str

    def align(self, turns: Sequence[TurnAudio], *, refine: bool = True) -> tuple[TurnAlignment, ...]:
        """One `TurnAlignment` a turn, in order. Raises `AlignmentError` naming the turn that failed.

        Without `refine` times are as the model gives them, before anything else moves an edge: for measuring.
        """
        ...


def samples_of(turn: TurnAudio) -> NDArray[float32]:
    """Samples of a turn, read if it names a file; refuses another rate, channels, an empty or a broken file."""
    import numpy as np

    if not isinstance(turn.audio, Path):
        found = np.asarray(turn.audio, dtype=np.float32)
        shape = f"an array of shape {found.shape}"
    else:
        import soundfile

        try:
            found, rate = soundfile.read(turn.audio, dtype="float32", always_2d=False)
        except (OSError, soundfile.SoundFileError) as error:
            raise AlignmentError(
                f"turn {turn.turn}: {turn.audio.name} cannot be read", found=str(error), turn=turn.turn
            ) from error
        shape = f"{rate} Hz, shape {found.shape}"
        if rate != RATE:
            found = found[:0]
    if found.ndim != 1 or not found.size or not bool(np.isfinite(found).all()):
        raise AlignmentError(
            f"turn {turn.turn}: its audio cannot be aligned",
            expected=f"finite mono samples at {RATE} Hz",
            found=shape,
            fix="speak the turn again",
            turn=turn.turn,
        )
    return found

"""What a run came to: counts, hashes, what was withheld and why, and what to do next."""

from __future__ import annotations

from pathlib import Path

import msgspec

from dtbuild.errors import Incomplete
from dtbuild.records.cohort import Withheld


class RunReport(msgspec.Struct, frozen=True, kw_only=True):
    """`made` counts items that were not there before the run; `until` is the last stage of the run.

    `recordings` is 0 before the review. Hashes are set once a release was built; `older` says that none could be, and
    that one of an earlier run stands in the folder as it was.
    """

    out: Path
    until: str
    families: int
    recordings: int
    made: int
    withheld: tuple[Withheld, ...] = ()
    content_hash: str | None = None
    audio_hash: str | None = None
    older: bool = False

    def text(self) -> str:
        """Some lines for the terminal."""
        if self.made:
            state = f"{self.made} items made"
        else:
            state = "nothing left to do" if self.withheld else "complete already, nothing to do"
        lines = [f"{self.out}: {self.families} families, {self.recordings} recordings to {self.until}; {state}"]
        if self.content_hash:
            lines.append(f"content {self.content_hash[:16]}  audio {(self.audio_hash or '')[:16]}")
        if self.older:
            lines.append("no family came through: release/ is as an earlier run left it")
        lines += [f"withheld {each.family}: {each.reason}" for each in self.withheld]
        return "\n".join(lines)

    def raise_if_incomplete(self) -> None:
        """Raise Incomplete naming the withheld families; what is made stays, and a release holds the others."""
        if self.withheld:
            raise Incomplete(
                f"cohort {self.out}",
                expected=f"{self.families + len(self.withheld)} families",
                found=f"{len(self.withheld)} withheld: {', '.join(each.family for each in self.withheld)}",
                fix="read the reasons above and mend the scripts they name; "
                "--retry-quarantined makes quarantined takes again",
            )

"""What to do about a finding of `validate`, by its code. A released file is never mended by hand: it is made again.

>>> advice("sha256")
'the file was changed or damaged after its release: generate writes it anew'
>>> advice("chain.transition")
'mend the plan or script in work/ that it came from, then generate'
"""

from __future__ import annotations

_AGAIN = "generate makes it anew from work/; if it comes back, report it"
_SOURCE = "mend the plan or script in work/ that it came from, then generate"
ADVICE = {
    "format": "restore the file, or read it with the dtbuild that wrote it",
    "missing": "copy the release again, or generate: the file is written anew",
    "unlisted": "move the file out of the release",
    "bytes": "the file was changed or damaged after its release: generate writes it anew",
    "sha256": "the file was changed or damaged after its release: generate writes it anew",
    "path": "copy the release again without links; do not use a manifest that points outside",
    "public": "remove it before a system under test gets this folder",
    "manifest": "the manifest is of another run: generate writes it anew",
    "twice": _SOURCE,
    "id": _AGAIN,
    "speakers": _AGAIN,
    "turns": _SOURCE,
    "predecessor": _SOURCE,
    "voice": "generate with the voices the config names",
    "chain": _SOURCE,
    "text": _SOURCE,
    "plan": "edit plans in work/gold, never the release, then generate",
    "review": "generate reviews the script again; a withheld family is named with its reason",
    "schema": "validate with the blueprint the cohort was made from (--blueprint), or generate anew",
    "span": _SOURCE,
    "trigger": _SOURCE,
    "wav": "generate mixes the recording anew; do not convert released audio",
    "duration": "generate mixes the recording anew; do not cut released audio",
    "loudness": "generate mixes the recording anew; do not level released audio",
    "clipping": "generate mixes the recording anew; do not amplify released audio",
    "silence": "listen there: the take is damaged or its times are wrong; delete its items in work/ and generate",
    "uncovered": "listen there: somebody speaks outside the text; delete the mix in work/mix and generate",
    "window": _AGAIN,
    "coarse": _AGAIN,
    "order": _AGAIN,
    "overlap": "generate mixes the recording anew, or allow overlap in another cohort's config",
    "alignment": "generate with the aligner the config names",
    "anchor": "delete the recording's items in work/align and work/evidence, then generate",
    "textgrid": "delete the recording's item in work/evidence, then generate",
    "pair": "edit variant A alone (work/script), then generate: B follows from it",
    "family": "generate releases whole families only",
    "hash": "something the hash covers was changed after the release: generate writes it anew",
    "stats": "the figures are of other files: generate counts anew",
    "card": "the card is of other files: generate writes it anew",
}


def advice(code: str) -> str:
    """The next step for a finding's code; rules of other rooms (`chain.…`, `text.…`, `pair.…`) go by their first part."""
    return ADVICE[code.partition(".")[0]]

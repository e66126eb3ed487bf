"""Pinyin syllables as phones of the forced alignment.

A syllable becomes its initial (where it has one), its final and, after a final in -n or -ng, the nasal `nn` or
`nx`: `zhong4` → `zh ong nx`, `yi1` → `i`. Without phones of their own, nasals before a pause are taken for
silence. Tones are dropped: the features of the acoustic model carry no pitch, and a phone per tone would split the training
speech five ways. One neutral tone is kept apart, the reduced vowel of 的, 了, 着, 么, which is short and central.
The apical vowels of 资 and 知 differ from `i` and from each other. A pronunciation is always the one given by
the `SpokenChar`, so 行 in 银行 and in 执行 are different phones.

>>> phones("zhong4"), phones("yuan2"), phones("shi4"), phones("de5"), phones("lve4")
(('zh', 'ong', 'nx'), ('van', 'nn'), ('sh', 'iii'), ('d', 'ex'), ('l', 've'))
"""

from __future__ import annotations

from dtbuild.errors import AlignmentError

INITIALS: tuple[str, ...] = (
    "zh", "ch", "sh", "b", "p", "m", "f", "d", "t", "n", "l", "g", "k", "h", "j", "q", "x", "r", "z", "c", "s",
)  # fmt: skip
"""Two-letter initials first: the longest match wins."""

FINALS: tuple[str, ...] = (
    "a", "ai", "an", "ang", "ao", "e", "ei", "en", "eng", "er", "ex", "i", "ia", "ian", "iang", "iao", "ie",
    "ii", "iii", "in", "ing", "io", "iong", "iou", "o", "ong", "ou", "u", "ua", "uai", "uan", "uang", "uei",
    "uen", "ueng", "uo", "v", "van", "ve", "vn",
)  # fmt: skip

CODAS = {"ng": "nx", "n": "nn"}
PHONES: tuple[str, ...] = tuple(sorted({*INITIALS, *FINALS, *CODAS.values()}))

TONES: tuple[str, ...] = ("1", "2", "3", "4", "5")

_SHORT = {"iu": "iou", "ui": "uei", "un": "uen"}
"""Finals that spelling shortens after an initial."""
_FRONT = {"u": "v", "ue": "ve", "uan": "van", "un": "vn"}
"""After j, q, x (and in yu-) the letter u stands for ü."""
_BARE = {"m": ("en",), "n": ("en",), "ng": ("en",), "hm": ("h", "en"), "hng": ("h", "en"), "r": ("er",), "ê": ("ei",)}
"""Interjections outside the table of syllables (嗯, 哼, 欸) and the r of erhua."""


def phones(pinyin: str) -> tuple[str, ...]:
    """Phones of one syllable with a tone number (1–5, 5 is neutral; ü is written v).

    Raises `AlignmentError` for a string that is no Mandarin syllable.

    >>> phones("liu4"), phones("you3"), phones("ju4"), phones("n2"), phones("er2")
    (('l', 'iou'), ('iou',), ('j', 'v'), ('en', 'nn'), ('er',))
    """
    body, tone = (pinyin[:-1], pinyin[-1]) if pinyin[-1:].isdigit() else (pinyin, "")
    found = _BARE.get(body) or _split(body)
    if found[-1] not in FINALS or found[:-1] not in ((), *((one,) for one in INITIALS)) or tone not in TONES:
        raise AlignmentError(
            f"pinyin {pinyin!r}", expected="a Mandarin syllable with tone number 1–5", fix="correct the lexicon"
        )
    if tone == "5" and found[1:] == ("e",):
        return (found[0], "ex")
    coda = next((phone for end, phone in CODAS.items() if found[-1].endswith(end)), None)
    return (*found, coda) if coda else found


def transcript(syllables: list[tuple[str, ...]]) -> str:
    """Syllables as viter reads them: one word each, parted by `|`.

    The leading bar keeps a transcript of one syllable one word, where viter would otherwise read every phone
    as a word of its own.

    >>> transcript([("d", "uei")])
    '| d uei'
    """
    return " ".join("| " + " ".join(word) for word in syllables)


def _split(body: str) -> tuple[str, ...]:
    body = body.replace("ü", "v")
    if body.startswith("y"):
        return (_after_y(body[1:]),)
    if body.startswith("w"):
        rest = body[1:]
        whole = {"u": "u", "ei": "uei", "en": "uen", "eng": "ueng"}
        return (whole.get(rest, "u" + rest),)
    initial = next((one for one in INITIALS if body.startswith(one)), "")
    final = body[len(initial) :]
    if initial in ("j", "q", "x"):
        final = _FRONT.get(final, final)
    elif initial in ("n", "l") and final == "ue":
        final = "ve"
    final = _SHORT.get(final, final)
    if final == "i" and initial in ("z", "c", "s"):
        final = "ii"
    elif final == "i" and initial in ("zh", "ch", "sh", "r"):
        final = "iii"
    return (initial, final) if initial else (final,)


def _after_y(rest: str) -> str:
    if rest.startswith("u"):
        return _FRONT.get(rest, rest)
    whole = {"i": "i", "in": "in", "ing": "ing", "e": "ie", "ou": "iou", "ong": "iong", "o": "io"}
    return whole.get(rest, "i" + rest)

"""Spoken text from written pinyin, a voice, a request: what the tests of this room speak."""

from __future__ import annotations

from dtbuild.records.sound import SpeechRequest, Voice, VoicePart
from dtbuild.records.spoken import Spoken, SpokenChar


def say(text: str, pinyin: str) -> Spoken:
    """Spoken text whose 汉字 get the syllables of `pinyin` in order."""
    syllables = iter(pinyin.split())
    chars = tuple(
        SpokenChar(character, next(syllables), place, place, place + 1)
        for place, character in enumerate(text)
        if "一" <= character <= "鿿"
    )
    assert next(syllables, None) is None, "more syllables than 汉字"
    return Spoken(text, chars)


def voice(style: str = "zf_xiaoxiao", *more: str, engine: str = "kokoro", rate: float = 1.0) -> Voice:
    """A voice of one style, or an even mix of several."""
    return Voice(
        id=f"test-{style}",
        gender="male" if style.startswith("zm") else "female",
        engine=engine,
        recipe=tuple(VoicePart(style=name, weight=1.0) for name in (style, *more)),
        licence="Apache-2.0",
        attribution="test",
        rate=rate,
        chars_per_second=4.9,
    )


def request(text: str, pinyin: str, style: str = "zf_xiaoxiao", seed: int = 1) -> SpeechRequest:
    return SpeechRequest(spoken=say(text, pinyin), voice=voice(style), seed=seed)

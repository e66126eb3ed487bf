"""Choose the voices of `voices/kokoro.yaml` from many candidates, and store how alike they are.

    python scripts/choose_voices.py speak CACHE    speak the bases (some 8 CPU minutes; resumable)
    python scripts/choose_voices.py embed CACHE    embed them at every pitch: needs the extra `similarity`
    python scripts/choose_voices.py choose CACHE   print who would be chosen
    python scripts/choose_voices.py write CACHE    choose; write voices/kokoro.yaml and voices/kokoro.similarity.tsv

A base is a recipe of styles of one gender; a candidate is a base at a pitch. The engine speaks a voice of pitch k and
rate r at r / k and resamples by k: so with r = k × the base's own rate one take of the base gives, resampled, what each
of its candidates says. Likeness of two voices is the mean cosine of resemblyzer embeddings over all pairs of different
sentences, one by each; of a voice to itself the same with both by it. Nothing is drawn by chance; ties go by order.

Only `embed` needs torch; of dtbuild it imports `speech.pitch` alone, so it runs in an environment of its own:

    python -m venv SIM && SIM/bin/pip install resemblyzer torch 'setuptools<81'   # webrtcvad asks for pkg_resources
    PYTHONPATH=src SIM/bin/python scripts/choose_voices.py embed CACHE
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dtbuild.speech.pitch import shifted

RATE = 24_000
TEXTS = (
    "我这边先报个数，设备评估两百八十五万，按三年摊。",
    "等一下，那张增值税发票我还没见着，先放着别动。",
    "听说对面那家面馆换老板了，去试试？",
    "好的，那我重新打一份表，发到群里。",
    "嗯，明白。",
    "对，是这个意思。",
)
SCREENED = 4
"""Sentences that are embedded; the short turns after them are for the aligner."""
SPEEDS = {"zf_xiaobei": 1.12, "zf_xiaoyi": 0.97, "zm_yunxi": 0.97, "zm_yunyang": 0.97}
"""Styles that are slow or fast by nature; the others speak at 1."""
BASES = (
    "zf_xiaobei", "zf_xiaoni", "zf_xiaoxiao", "zf_xiaoyi",
    "zf_xiaobei:5+zf_xiaoyi:5", "zf_xiaobei:5+zf_xiaoni:5", "zf_xiaoxiao:5+zf_xiaoyi:5",
    "zm_yunjian", "zm_yunxi", "zm_yunyang",
    "zm_yunxi:5+zm_yunyang:5", "zm_yunjian:7+zm_yunxia:3", "zm_yunyang:7+zm_yunxia:3", "zm_yunxi:6+zm_yunxia:4",
)  # fmt: skip
"""zm_yunxia alone sounds like a boy: it is only the smaller part of mixes."""
PITCHES = (0.92, 0.96, 1.0, 1.04, 1.08)
EACH = 12
"""Voices of a gender."""
PACES, CREST, HERTZ = (4.3, 5.55), 22.0, {"female": 300.0, "male": 200.0}
"""汉字 a second, dB of the peak over the loudness, and highest median pitch that a voice may have: above it, a child."""
KNOWN = {
    "zf_xiaobei": (1.12, 4.42), "zf_xiaoni": (1.0, 4.88), "zf_xiaoxiao": (1.0, 4.92), "zf_xiaoyi": (0.97, 5.01),
    "zm_yunjian": (1.0, 5.0), "zm_yunxi": (0.97, 5.21), "zm_yunyang": (0.97, 5.3),
}  # fmt: skip
"""Rate, and 汉字 a second at it over whole turns of a dialogue, of the plain styles: `scripts/bench_speech.py voices`."""
LEVELS = {"zf_xiaobei": 0.5, "zf_xiaoni": -1.0, "zf_xiaoyi": -0.5, "zm_yunjian": 1.0, "zm_yunxi": 2.0}
"""Gains at which plain styles are about equally loud: where the level of all voices comes from."""
VOICES = Path(__file__).resolve().parents[1] / "voices" / "kokoro.yaml"
TABLE_HEAD = (
    "# dtbuild.similarity/1",
    "# Likeness of the voices of kokoro.yaml: mean cosine of resemblyzer 0.1.4 embeddings over all pairs of different",
    "# sentences, one by each voice; of a voice with itself, both by it. scripts/choose_voices.py has the sentences.",
)
HEAD = """\
# The voice population of the Kokoro engine: adult Mandarin voices, styles and mixes of styles of one gender, some
# spoken as by a larger or smaller speaker (`pitch`). Written by scripts/choose_voices.py; do not edit by hand.
#
# `rate` evens out styles that are slow by nature, times `pitch`: a larger speaker speaks a little slower. `gain_db`
# evens out loudness. `chars_per_second` is 汉字 a second over whole turns, inner pauses included. `sha256` is of the
# recipe and the style files. No entry states an age: nobody's is known of a mix.
# zm_yunxia alone sounds like a boy (median pitch 293 Hz), which no role of a decision dialogue is; it appears only as
# the smaller part of mixes.
format: dtbuild.voices/1"""


def recipe(base: str) -> list[tuple[str, float]]:
    """Styles and weights of a base.

    >>> recipe("zf_xiaoni:6+zf_xiaoyi:4"), recipe("zm_yunxi")
    ([('zf_xiaoni', 0.6), ('zf_xiaoyi', 0.4)], [('zm_yunxi', 1.0)])
    """
    parts = [part.partition(":") for part in base.split("+")]
    return [(style, int(weight or 10) / 10) for style, _, weight in parts]


def natural_rate(base: str) -> float:
    """The rate at which a base is neither slow nor fast, from those of its styles."""
    return round(sum(weight * SPEEDS.get(style, 1.0) for style, weight in recipe(base)), 2)


def sound(cache: Path, base: str, rate: float, at: int) -> Path:
    """Where sentence `at` lies."""
    key = hashlib.sha256(json.dumps([base, 1.0, rate, TEXTS[at]]).encode()).hexdigest()[:16]
    return cache / "takes" / f"{key}.npy"


def speak(cache: Path) -> None:
    """Speaks what the cache lacks."""
    from dtbuild.lexicon import spoken
    from dtbuild.records.sound import SpeechRequest, Voice, VoicePart
    from dtbuild.speech.kokoro import KokoroEngine

    wanted = [(base, natural_rate(base), at) for at in range(len(TEXTS)) for base in BASES]
    todo = [one for one in wanted if not sound(cache, *one).is_file()]
    (cache / "takes").mkdir(parents=True, exist_ok=True)
    engine = KokoroEngine() if todo else None
    for done, (base, rate, at) in enumerate(todo, 1):
        assert engine is not None
        voice = Voice(
            id=base, gender="female" if base.startswith("zf") else "male", engine="kokoro", rate=rate,
            recipe=tuple(VoicePart(style=style, weight=weight) for style, weight in recipe(base)),
            licence="Apache-2.0", attribution="Kokoro-82M",
        )  # fmt: skip
        audio = engine.speak(SpeechRequest(spoken=spoken(TEXTS[at]), voice=voice, seed=at))
        path = sound(cache, base, rate, at)
        np.save(path.with_suffix(".part.npy"), audio)
        path.with_suffix(".part.npy").rename(path)
        print(f"{done} of {len(todo)} {base} {at}", flush=True)


def embed(cache: Path) -> None:
    """Embeddings of every base at every pitch, kept in CACHE/embeddings.npz."""
    import torch
    from resemblyzer import VoiceEncoder, preprocess_wav

    torch.set_num_threads(1)
    encoder = VoiceEncoder("cpu", verbose=False)
    store = cache / "embeddings.npz"
    known = dict(np.load(store)) if store.is_file() else {}
    for base, pitch, at in itertools.product(BASES, PITCHES, range(SCREENED)):
        path, name = sound(cache, base, natural_rate(base), at), f"{base}|{pitch}|{at}"
        if name not in known and path.is_file():
            wav = preprocess_wav(shifted(np.load(path), pitch), RATE)
            known[name] = encoder.embed_utterance(wav)
    np.savez(store, **known)
    print(f"{len(known)} embeddings")


class Candidate(NamedTuple):
    """A base at a pitch, with what was measured of it."""

    base: str
    pitch: float
    level: float
    """RMS of its sentences at gain 0, dB."""
    crest: float
    """Highest peak over the loudness, dB."""
    pace: float
    """汉字 a second, as `Voice.chars_per_second`."""
    hertz: float
    """Median fundamental."""

    @property
    def gender(self) -> str:
        return "female" if self.base.startswith("zf") else "male"


def measured(cache: Path) -> list[Candidate]:
    """Every candidate. Paces are brought to the texts of `scripts/bench_speech.py` by the voices that both measured."""
    import pyloudnorm

    from dtbuild.lexicon import spoken

    chars = sum(len(spoken(text).chars) for text in TEXTS[:SCREENED])
    paces, sounds = {}, {}
    for base in BASES:
        parts = [np.load(sound(cache, base, natural_rate(base), at)) for at in range(SCREENED)]
        sounds[base] = np.concatenate(parts)
        paces[base] = chars / (len(sounds[base]) / RATE)
    ratio = float(np.median([KNOWN[base][1] * natural_rate(base) / KNOWN[base][0] / paces[base] for base in KNOWN]))
    found = []
    for base, pitch in itertools.product(BASES, PITCHES):
        audio = shifted(sounds[base], pitch)
        level = 20 * np.log10(np.sqrt(np.mean(audio.astype(np.float64) ** 2)))
        peak = 20 * np.log10(np.abs(audio).max())
        loud = pyloudnorm.Meter(RATE).integrated_loudness(audio.astype(np.float64))
        pace = paces[base] * ratio * pitch
        found.append(Candidate(base, pitch, float(level), float(peak - loud), float(pace), fundamental(audio)))
    return found


def fundamental(audio: Any) -> float:
    """Median fundamental in Hz by autocorrelation, over voiced frames of 50 ms."""
    found = []
    for start in range(0, len(audio) - 1200, 1200):
        frame = audio[start : start + 1200].astype(np.float64)
        frame -= frame.mean()
        correlation = np.correlate(frame, frame, "full")[1199:]
        lag = 60 + int(np.argmax(correlation[60:340]))
        if correlation[0] > 0.3 and correlation[lag] > 0.5 * correlation[0]:
            found.append(RATE / lag)
    return float(np.median(found))


def likeness(vectors: dict[str, Any], one: Candidate, other: Candidate) -> float:
    """Mean cosine over pairs of different sentences, one by each, to three digits."""
    left, right = (np.array([vectors[f"{c.base}|{c.pitch}|{at}"] for at in range(SCREENED)]) for c in (one, other))
    cosines = left @ right.T
    return round(float(cosines[~np.eye(SCREENED, dtype=bool)].mean()), 3)


def fit(cache: Path, chosen: list[Candidate]) -> dict[Candidate, list[str]]:
    """What the gate of alignment finds in the sentences of each candidate, without any retake."""
    import tempfile

    import soundfile

    from dtbuild.align.aligner import TurnAudio
    from dtbuild.align.plausibility import check
    from dtbuild.align.viter import ViterAligner
    from dtbuild.lexicon import spoken

    aligner = ViterAligner(threads=1)
    found = {}
    with tempfile.TemporaryDirectory() as name:
        for number, one in enumerate(chosen):
            turns = []
            for at, text in enumerate(TEXTS):
                rate = natural_rate(one.base)
                path = sound(cache, one.base, rate, at)
                if path.is_file():
                    wav = Path(name) / f"v{number}t{at}.wav"
                    soundfile.write(wav, shifted(np.load(path), one.pitch), RATE, subtype="PCM_16")
                    turns.append(TurnAudio(wav.stem, spoken(text), f"v{number}", wav))
            verdict = check("choice", turns, aligner.align(turns), inputs="-")
            found[one] = [f"{each.code} {each.where} {each.found or ''}" for each in verdict.findings]
    return found


def choose(cache: Path) -> list[Candidate]:
    """The first two of a gender are those farthest apart; then comes, each time, who is farthest from all chosen.

    Left out are candidates off in pace, with high peaks or childlike; those that the aligner does not follow are left out in turn.
    """
    vectors = dict(np.load(cache / "embeddings.npz"))
    fitting = [
        c for c in measured(cache) if PACES[0] <= c.pace <= PACES[1] and c.crest <= CREST and c.hertz <= HERTZ[c.gender]
    ]
    own = {c: likeness(vectors, c, c) for c in fitting}
    pairs = {frozenset(pair): likeness(vectors, *pair) for pair in itertools.combinations(fitting, 2)}

    def margin(one: Candidate, other: Candidate) -> float:
        return min(own[one], own[other]) - pairs[frozenset((one, other))]

    refused: set[Candidate] = set()
    sound_ones: set[Candidate] = set()
    while True:
        chosen: list[Candidate] = []
        for gender in ("female", "male"):
            free = [c for c in fitting if c.gender == gender and c not in refused]
            some = list(max(itertools.combinations(free, 2), key=lambda pair: margin(*pair)))
            while len(some) < EACH:
                some.append(max((c for c in free if c not in some), key=lambda c: min(margin(c, d) for d in some)))
            chosen += some
        bad = {c: faults for c, faults in fit(cache, [c for c in chosen if c not in sound_ones]).items() if faults}
        sound_ones |= set(chosen) - set(bad)
        if not bad:
            break
        for c, faults in bad.items():
            print(f"left out {c.base} at {c.pitch}: {'; '.join(faults)}")
        refused |= set(bad)
    for gender in ("female", "male"):
        margins = [margin(*pair) for pair in itertools.combinations([c for c in chosen if c.gender == gender], 2)]
        print(f"{gender}: {sum(c.gender == gender for c in fitting)} candidates fit; margins of the chosen from "
              f"{min(margins):.3f} to {max(margins):.3f}, {np.mean([m > 0.0295 for m in margins]):.0%} at least 0.03")  # fmt: skip
    for c in sorted(chosen, key=lambda c: (c.gender, c.base, c.pitch)):
        print(
            f"{c.base:42} {c.pitch:.2f}  self {own[c]:.3f}  {c.hertz:.0f} Hz  {c.pace:.2f} 汉字/s  crest {c.crest:.1f}"
        )
    return chosen


def write(cache: Path, chosen: list[Candidate]) -> None:
    """The population, its table and its profiles."""
    import msgspec

    from dtbuild.records.sound import VoicePart
    from dtbuild.speech.kokoro import recipe_sha256
    from dtbuild.speech.likeness import made

    plain = {c.base: c for c in measured(cache) if c.pitch == 1.0}
    target = float(np.median([plain[base].level + gain for base, gain in LEVELS.items()]))
    ids: dict[str, Candidate] = {}
    for gender, letter in (("female", "f"), ("male", "m")):
        ordered = sorted((c for c in chosen if c.gender == gender), key=lambda c: (BASES.index(c.base), c.pitch))
        ids |= {f"{letter}{number:02}": c for number, c in enumerate(ordered, 1)}
    entries: list[str] = []
    takes: dict[str, list[Any]] = {}
    for id, c in ids.items():
        parts = recipe(c.base)
        styles = [style for style, _ in parts]
        gain = min(6.0, max(-6.0, round((target - c.level) * 2) / 2)) + 0.0
        sha256 = recipe_sha256([VoicePart(style=style, weight=weight) for style, weight in parts])
        entries += [
            f"  - id: {id}",
            f"    gender: {c.gender}",
            "    engine: kokoro",
            f"    recipe: [{', '.join(f'{{style: {style}, weight: {weight}}}' for style, weight in parts)}]",
            "    licence: Apache-2.0",
            f"    attribution: Kokoro-82M style{'s' * (len(styles) > 1)} {' and '.join(styles)} by hexgrad",
            f"    rate: {natural_rate(c.base) * c.pitch:.4f}",
            f"    pitch: {c.pitch:.2f}",
            f"    gain_db: {gain:.1f}",
            f"    chars_per_second: {c.pace:.2f}",
            f"    sha256: {sha256}",
        ]
        paths = [sound(cache, c.base, natural_rate(c.base), at) for at in range(SCREENED)]
        takes[f"{sha256[:16]}/{c.pitch:.2f}"] = [shifted(np.load(p), c.pitch) * 10 ** (gain / 20) for p in paths]
    vectors = dict(np.load(cache / "embeddings.npz"))
    pairs = itertools.combinations_with_replacement(ids.items(), 2)
    lines = [*TABLE_HEAD, *(f"{a}\t{b}\t{likeness(vectors, one, other):.3f}" for (a, one), (b, other) in pairs)]
    beside = {
        "similarity": (VOICES.with_name("kokoro.similarity.tsv"), ("\n".join(lines) + "\n").encode()),
        "profiles": (VOICES.with_name("kokoro.profiles.json"), msgspec.json.encode(made(takes)) + b"\n"),
    }
    out = [HEAD]
    for key, (path, data) in beside.items():
        path.write_bytes(data)
        out.append(f"{key}: {{file: {path.name}, sha256: {hashlib.sha256(data).hexdigest()}}}")
    VOICES.write_text("\n".join([*out, "voices:", *entries]) + "\n", "utf-8")
    print(f"{len(ids)} voices, {len(lines) - len(TABLE_HEAD)} lines of likeness")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("step", choices=("speak", "embed", "choose", "write"))
    parser.add_argument("cache", type=Path)
    args = parser.parse_args()
    if args.step == "speak":
        speak(args.cache)
    elif args.step == "embed":
        embed(args.cache)
    else:
        chosen = choose(args.cache)
        if args.step == "write":
            write(args.cache, chosen)


if __name__ == "__main__":
    main()

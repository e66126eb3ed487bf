"""Train the Mandarin acoustic model of `dtbuild.align` on speech that dtbuild's own engine makes.

    python scripts/train_aligner.py texts              print the sentences and what they cover
    python scripts/train_aligner.py speak CACHE        speak them (about as long as the speech lasts; resumable)
    python scripts/train_aligner.py train CACHE [OUT]  train (a CPU minute) and write model, score table, card

Sentences are drawn by seed: talk of finance with amounts, rates, terms and dates, short turns, and lists of
common characters that bring in every syllable of Mandarin at least `EACH` times. The eight Mandarin styles of
Kokoro and six mixes of two speak them in turn, at rates of 0.9–1.12. The training of viter is deterministic for
a seed, so equal speech gives an equal model; speech is equal for equal engine files on one kind of machine.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import multiprocessing
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dtbuild.align.adapt import PAD, RECIPE, padded, phrases
from dtbuild.align.phones import phones, transcript
from dtbuild.records.sound import SpeechRequest, Voice, VoicePart
from dtbuild.records.spoken import Spoken
from dtbuild.timebase import RATE

SEED = 20260131
STYLES: dict[str, Literal["female", "male"]] = {
    "zf_xiaobei": "female", "zf_xiaoni": "female", "zf_xiaoxiao": "female", "zf_xiaoyi": "female",
    "zm_yunjian": "male", "zm_yunxi": "male", "zm_yunxia": "male", "zm_yunyang": "male",
}  # fmt: skip
MIXES: dict[str, Literal["female", "male"]] = {
    "zf_xiaobei+zf_xiaoni": "female", "zf_xiaoxiao+zf_xiaoyi": "female", "zf_xiaoni+zf_xiaoyi": "female",
    "zm_yunjian+zm_yunxi": "male", "zm_yunxia+zm_yunyang": "male", "zm_yunxi+zm_yunyang": "male",
}  # fmt: skip
"""Voices that are the mean of two styles, as some of the population are."""
TALK, EACH, MIXED = 152, 3, 24
"""Sentences of talk; times every syllable is spoken at least; sentences that the mixes speak."""
MODEL = Path(__file__).resolve().parent.parent / "src/dtbuild/align/model"

SHORT = (
    "嗯。", "对。", "行。", "好。", "是的。", "好的。", "没问题。", "我同意。", "可以。", "不行。",
    "哦，这样。", "嗯，明白。", "稍等。", "那不对吧？", "等一下。", "先别定。", "谢谢大家。", "哎，对了。",
    "差不多了。", "唉，难办。", "欸，怎么了？", "哼，早着呢。",
)  # fmt: skip
TEMPLATES = (
    "{org}这批{item}，账面是{money}，我看{verb}到{money}比较稳。",
    "我先说一下，{item}的{field}暂定{money}，等{paper}到了再确认。",
    "{name}，你那边{paper}核完了没有？{item}还差{money}呢。",
    "不好意思啊，这个数我不能认，{paper}上写的是{money}，不是{money}。",
    "利率这一块，{rate}偏高了，能不能谈到{rate}？",
    "期限我们原来说{term}，现在{org}要求改成{term}，{date}之前答复。",
    "那就这么着，{item}按{money}入池，{date}放款，有意见的现在说。",
    "先停一停，{paper}缺了{count}张，这一笔先不往下走。",
    "刚才{name}把{paper}补齐了，可以接着办，{field}还是{money}。",
    "风控这边复核过了，{field}认定为{money}，大家没意见我就记下来了。",
    "{org}的回款一直慢，上个季度拖了{term}，质押率降到{rate}吧。",
    "我只管单据，额度得{name}点头，我说了不算的。",
    "咱们再捋一遍：{item}{money}，保证金{rate}，{date}到期。",
    "听说{org}换了法人？那得重新走一遍授权，最快也要{term}。",
    "仓库昨天盘点，{item}少了{count}件，差额大概{money}。",
    "保险公司给付多少？{name}说最多{money}，还得扣掉折旧。",
    "重组方案里面，本金展期{term}，利息按{rate}重新算。",
    "这会儿{name}不在，一会儿我给他打个电话，问问{paper}的事儿。",
    "{date}那次会上，我们不是已经定过{money}了吗？怎么又变了？",
    "发票和合同对得上，序列号也没错，我建议恢复处理，{field}报{money}。",
    "担保人愿意追加{item}，估值{money}，不过要先过户。",
    "汇率涨了一点儿，美元那部分折下来是{money}，你们记着改表。",
    "客户经理，这笔应收账款的账龄超过{term}，按规矩只能给{rate}。",
    "同比降了百分之{small}，环比倒是涨了百分之{small}，说不清楚。",
    "早上堵车，让大家久等了。{item}的事我们从头说起，先报{field}。",
    "行长的意思是，额度可以给，但是首付款不能低于{rate}。",
    "好，{field}就定{money}，我这边批了，{name}负责落实{paper}。",
    "吃了饭再说吧，下午{hour}点接着开，把{paper}都带上。",
)  # fmt: skip
SLOTS = {
    "org": ("供应商", "核心企业", "物流公司", "华东分公司", "纺织厂", "钢材贸易商", "保理公司",
            "下游客户", "冷链仓储", "农机合作社"),
    "item": ("设备", "螺纹钢", "棉纱", "库存", "应收账款", "冻品", "化肥", "仓单", "半成品", "锂电池",
             "铝锭", "白砂糖"),
    "field": ("评估价", "授信额度", "融资金额", "质押率", "回购价", "保证金", "预付款", "尾款", "差额"),
    "verb": ("压", "调", "降", "提", "改"),
    "paper": ("发票", "验收单", "增值税票", "提单", "确权函", "购销合同", "入库凭证", "质检报告", "对账单", "承诺书"),
    "name": ("老王", "小赵", "陈总", "李经理", "周会计", "孙主任", "吴律师", "郑工", "冯姐",
             "韩科长", "许行长", "邓处"),
    "small": ("三", "五点六", "十二", "零点八", "二十", "七点五"),
    "hour": ("两", "三", "四"),
}  # fmt: skip
DIGITS = "零一二三四五六七八九"
COMMON = [bytes([high, low]).decode("gb2312", "ignore") for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF)]
"""The 3,755 characters of GB 2312 level 1: those in common use."""
RARE = "翁嗡哟唷嗯欸哼儿耳扰孽虐略掠疟诶哦喔噢嗲您僧森嫩怎贼黑给得特仍扔日耍刷甩衰拽揣踹踢涮栓"
"""Characters for syllables that few common ones have."""


@dataclass(frozen=True)
class Line:
    id: str
    text: str
    style: str
    rate: float


def spoken(text: str) -> Spoken:
    from dtbuild import lexicon

    return lexicon.spoken(text)


def lines(seed: int = SEED) -> list[Line]:
    """Every sentence with its voice, the same for the same seed."""
    rng = random.Random(seed)
    texts = [_fill(TEMPLATES[at % len(TEMPLATES)], rng) for at in range(TALK)]
    texts += _lists(texts, rng)
    rng.shuffle(texts)
    texts += [text for _ in range(2) for text in SHORT]
    styles, mixes = sorted(STYLES), sorted(MIXES)
    rates = (0.9, 0.96, 1.0, 1.0, 1.06, 1.12)
    out = [Line(f"u{at:03}", text, styles[at % len(styles)], rng.choice(rates)) for at, text in enumerate(texts)]
    for at in range(MIXED):
        text = _fill(TEMPLATES[at % len(TEMPLATES)], rng)
        out.append(Line(f"u{len(out):03}", text, mixes[at % len(mixes)], rng.choice(rates)))
    return out


def _lists(texts: list[str], rng: random.Random) -> list[str]:
    """Lists of characters until every syllable is spoken `EACH` times."""
    by_syllable: dict[str, list[str]] = {}
    for char in [*COMMON, *RARE]:
        if char:
            syllable = _reading(char)
            by_syllable.setdefault(syllable, []).append(char)
    have = Counter(syllable for text in texts for syllable in map(_reading, _chars(text)))
    chars = [
        rng.choice(known)
        for syllable, known in sorted(by_syllable.items())
        for _ in range(max(0, EACH - have[syllable]))
    ]
    rng.shuffle(chars)
    out = []
    for at in range(0, len(chars), 20):
        part = chars[at : at + 20]
        groups = ["".join(part[i : i + size]) for i, size in ((0, 3), (3, 4), (7, 2), (9, 5), (14, 3), (17, 3))]
        out.append("，".join(group for group in groups if group) + "。")
    return out


def _chars(text: str) -> list[str]:
    return [char for char in text if "一" <= char <= "鿿"]


@functools.cache
def _reading(char: str) -> str:
    """Phones of the character's usual reading: enough to count coverage, and untouched by our lexicon."""
    from pypinyin import Style, lazy_pinyin

    return " ".join(phones(lazy_pinyin(char, style=Style.TONE3, neutral_tone_with_five=True, v_to_u=False)[0]))


def _fill(template: str, rng: random.Random) -> str:
    def slot(name: str) -> str:
        if name == "money":
            number = _number(rng.choice((1, 10, 100)) * rng.randint(11, 99))
            return number + rng.choice(("万", "万元", "块钱", "万美元", "亿"))
        if name == "rate":
            whole = _number(rng.randint(1, 90))
            return f"百分之{whole}" + rng.choice(("", f"点{rng.choice(DIGITS[1:])}{rng.choice(DIGITS[1:])}"))
        if name == "term":
            return _number(rng.randint(2, 36)) + rng.choice(("个月", "天", "个工作日"))
        if name == "date":
            return f"{_number(rng.randint(1, 12))}月{_number(rng.randint(1, 31))}号"
        if name == "count":
            return _number(rng.randint(3, 400))
        return rng.choice(SLOTS[name])

    out = template
    while "{" in out:
        before, rest = out.split("{", 1)
        name, after = rest.split("}", 1)
        out = before + slot(name) + after
    return out


def _number(value: int) -> str:
    """1–9999 as said: 2300 → 两千三百, 105 → 一百零五.

    >>> _number(2300), _number(105), _number(16)
    ('两千三百', '一百零五', '十六')
    """
    out, gap = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // unit % 10
        if digit == 0:
            gap = bool(out)
            continue
        word = "两" if digit == 2 and unit >= 1000 else DIGITS[digit]
        out += ("零" if gap else "") + ("" if value < 20 and unit == 10 else word) + name
        gap = False
    return out


def speak(cache: Path, processes: int) -> None:
    """Speaks what the cache lacks: CACHE/STYLE/ID.wav with ID.json (text and characters) beside it."""
    todo = [line for line in lines() if not (cache / line.style / f"{line.id}.wav").is_file()]
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes) as pool:
        parts = [(cache, todo[at::processes]) for at in range(processes)]
        pool.starmap(_speak_some, parts)


def _speak_some(cache: Path, todo: list[Line]) -> None:
    import msgspec
    import soundfile

    from dtbuild.speech.kokoro import KokoroEngine

    engine = KokoroEngine()
    for done, line in enumerate(todo, 1):
        said = spoken(line.text)
        parts = line.style.split("+")
        voice = Voice(
            id=line.style, gender={**STYLES, **MIXES}[line.style], engine="kokoro", rate=line.rate,
            recipe=tuple(VoicePart(style=part, weight=1 / len(parts)) for part in parts),
            licence="Apache-2.0", attribution="Kokoro-82M",
        )  # fmt: skip
        audio = engine.speak(SpeechRequest(spoken=said, voice=voice, seed=int(line.id[1:])))
        folder = cache / line.style
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{line.id}.json").write_bytes(msgspec.json.encode(said))
        soundfile.write(folder / f"{line.id}.part", audio, RATE, format="WAV", subtype="PCM_16")
        (folder / f"{line.id}.part").rename(folder / f"{line.id}.wav")
        if done % 10 == 0 or done == len(todo):
            print(f"{line.id}: {done} of {len(todo)}", flush=True)


def train(cache: Path, out: Path) -> None:
    """Trains on what the cache holds; refuses a cache that lacks lines. Writes model, score table and card."""
    import msgspec
    import soundfile
    import viter

    from dtbuild.align import fit

    wanted = lines()
    missing = [line.id for line in wanted if not (cache / line.style / f"{line.id}.wav").is_file()]
    if missing:
        sys.exit(f"{cache} lacks {len(missing)} of {len(wanted)} takes ({missing[0]}, …): run speak first")
    out.mkdir(parents=True, exist_ok=True)
    takes: list[tuple[str, Any, str]] = []
    digest, seconds = hashlib.sha256(), 0.0
    with tempfile.TemporaryDirectory() as name:
        corpus = Path(name)
        for line in wanted:
            said = msgspec.json.decode((cache / line.style / f"{line.id}.json").read_bytes(), type=Spoken)
            if said.text != line.text:
                sys.exit(f"{cache}/{line.style}/{line.id} says {said.text}, not {line.text}: clear the cache")
            source = cache / line.style / f"{line.id}.wav"
            text = phrases(said)
            samples = padded(soundfile.read(source, dtype="float32")[0], len(takes))
            (corpus / line.style).mkdir(exist_ok=True)
            soundfile.write(corpus / line.style / source.name, samples, RATE, subtype="PCM_16")
            (corpus / line.style / f"{line.id}.lab").write_text(text, encoding="ascii")
            digest.update(text.encode() + samples.tobytes())
            seconds += (len(samples) - 2 * PAD) / RATE
            takes.append((line.style, samples, transcript([phones(char.pinyin) for char in said.chars])))
        viter.train(corpus, out / "mandarin.viter", cpu=True, quiet=True, **RECIPE)
    # aligned by the model as saved: the one that users load
    model = viter.Model(out / "mandarin.viter", cpu=True)
    found = model.align_many([(s, t, RATE) for _, s, t in takes], speakers=[voice for voice, _, _ in takes])
    aligned = [(v, s, one.phones) for (v, s, _), one in zip(takes, found, strict=True) if one is not None]
    (out / "mandarin.fit.json").write_bytes(fit.train(aligned))
    made = {
        "model_sha256": hashlib.sha256((out / "mandarin.viter").read_bytes()).hexdigest(),
        "fit_sha256": hashlib.sha256((out / "mandarin.fit.json").read_bytes()).hexdigest(),
        "speech_sha256": digest.hexdigest(),
        "sentences": len(wanted),
        "aligned": len(aligned),
        "seconds": round(seconds, 1),
        "voices": [*sorted(STYLES), *sorted(MIXES)],
        "viter": viter.__version__,
        "recipe": RECIPE,
    }
    (out / "made.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(made, indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("step", choices=("texts", "speak", "train"))
    parser.add_argument("cache", type=Path, nargs="?", default=Path(tempfile.gettempdir()) / "dtbuild-aligner")
    parser.add_argument("out", type=Path, nargs="?", default=MODEL)
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    if args.step == "texts":
        every = lines()
        for line in every:
            print(line.id, line.style, line.rate, line.text)
        counts = Counter(_reading(char) for line in every for char in _chars(line.text))
        print(f"{len(every)} sentences, {counts.total()} characters, {len(counts)} syllables, each at least "
              f"{min(counts.values())} times")  # fmt: skip
    elif args.step == "speak":
        speak(args.cache, args.processes)
    else:
        train(args.cache, args.out)


if __name__ == "__main__":
    main()

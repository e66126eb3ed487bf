"""Damage to the frame: what is no speech of this dialogue, its length, its ids, cast and ranges."""

from __future__ import annotations

import random

from msgspec.structs import replace

from dtbuild.records.ids import recording_id
from text_bench import claims
from text_bench.damage_names import called
from text_bench.edits import (
    add,
    drawn,
    plain_turns,
    put_before,
    renumbered,
    set_turn,
    turn_index,
)
from text_bench.kind import Damaged, Subject

SMALL_TALK = (
    "外头这会儿下着雨呢，路上怕是不好走，大家散了慢慢开。",
    "茶凉了吧，我让人续上，咱们边喝边说，别客气。",
    "会议室空调开得有点足，我把门掩上，省得串风。",
    "停车场今天满了，我绕了好一阵子，耽误大家了。",
)


def mark(subject: Subject, rng: random.Random) -> Damaged | None:
    """Stage directions, markup, digits, signs, Latin letters of no term."""
    script = subject.script
    at = rng.randrange(len(script.turns))
    words = rng.choice(
        ("（翻合同）", "[pause]", "**利率**", "【笑】", "走QZXW那边，", "就30%，", "￥", "（停了一下）", "费率/期限，")
    )
    return Damaged(subject.plan, put_before(script, at, words), claims.only_speech(at))


def only_marks(subject: Subject, rng: random.Random) -> Damaged | None:
    """A turn in which nothing is spoken."""
    for at in plain_turns(subject.script, rng):
        damaged = set_turn(subject.script, at, text=rng.choice(("……。", "？", "——")))
        return Damaged(subject.plan, damaged, claims.only_speech(at))
    return None


def label(subject: Subject, rng: random.Random) -> Damaged | None:
    """A speaker label before a line."""
    at = rng.randrange(len(subject.script.turns))
    words = rng.choice(("李总：", "旁白：", "客户：", "甲方：", "银行：", "主持人："))
    return Damaged(subject.plan, put_before(subject.script, at, words), claims.free_of(at, words))


def real_institution(subject: Subject, rng: random.Random) -> Damaged | None:
    """A bank, auditor or company that exists."""
    names = ("招商银行", "德勤", "工商银行", "腾讯", "平安保险", "华为", "毕马威", "中石油", "京东", "国家电网")
    return _said(subject, rng, f"{rng.choice(names)}那边也问过。")


def personal_data(subject: Subject, rng: random.Random) -> Damaged | None:
    """A telephone number, or where somebody lives, even an invented one."""
    numbers = "".join(rng.choice("零幺二三五六七八九") for _ in range(8))
    words = (
        f"我电话幺三八{numbers}。",
        "我家住翠湖小区，您寄家里也行。",
        "身份证号我念给您听。",
        "他住在锦绣花园，离得近。",
    )
    return _said(subject, rng, rng.choice(words))


def too_short(subject: Subject, rng: random.Random) -> Damaged | None:
    """The talk between the events is cut to nothing."""
    script = subject.script
    for at in plain_turns(script, rng):
        script = set_turn(script, at, text="嗯。")
    return Damaged(subject.plan, script, claims.hanzi_within(*subject.chars))


def too_long(subject: Subject, rng: random.Random) -> Damaged | None:
    """Small talk without end."""
    script = subject.script
    claim = claims.hanzi_within(*subject.chars)
    for at in drawn(range(len(script.turns)), rng):
        if claim(subject.plan, script, subject.blueprint):
            script = add(script, at, rng.choice(SMALL_TALK))
    return Damaged(subject.plan, script, claim)


def said_twice(subject: Subject, rng: random.Random) -> Damaged | None:
    """A turn comes back word for word."""
    free = plain_turns(subject.script, rng)
    long = [at for at in free if len(subject.script.turns[at].text) >= 12]
    for at in long:
        for again in free:
            if again != at:
                damaged = set_turn(subject.script, again, text=subject.script.turns[at].text)
                return Damaged(subject.plan, damaged, claims.said_once())
    return None


def turn_cut_in_two(subject: Subject, rng: random.Random) -> Damaged | None:
    """One utterance is written as two turns of one person."""
    script = subject.script
    for at in plain_turns(script, rng):
        turn = script.turns[at]
        middle = turn.text.find("，") + 1
        if 2 < middle < len(turn.text) - 2:
            one, two = replace(turn, text=turn.text[:middle]), replace(turn, id="cut", text=turn.text[middle:])
            turns = [*script.turns[:at], one, two, *script.turns[at + 1 :]]
            return Damaged(subject.plan, renumbered(script, turns), claims.speakers_alternate())
    return None


def near_copy(subject: Subject, rng: random.Random) -> Damaged | None:
    """A family once more under another number, with other names and hardly another word."""
    plan, script, blueprint, _ = subject
    family = f"{plan.family[:-1]}?"
    surnames = drawn([name for name in blueprint.names.surnames if len(name) == 1], rng)
    taken = {person.name[0] for person in plan.cast}
    names = {
        person.name[0]: surname
        for person, surname in zip(plan.cast, (s for s in surnames if s not in taken), strict=False)
    }
    cast = tuple(replace(person, name=names[person.name[0]] + person.name[1:]) for person in plan.cast)
    renamed = script
    for at, turn in enumerate(script.turns):
        text = turn.text
        for person, other in zip(plan.cast, cast, strict=True):
            for old, new in zip(called(person), called(other), strict=True):
                text = text.replace(old, new)
        renamed = set_turn(renamed, at, text=text)
    recording = recording_id(family, "a")
    renamed = replace(renamed, recording=recording, family=family, cast=cast)
    renamed = renumbered(renamed, list(renamed.turns))
    original = script.turns
    return Damaged(
        replace(plan, family=family, cast=cast),
        renamed,
        lambda p, s, b: s.family == plan.family or claims.another_story(original)(p, s, b),
    )


def _said(subject: Subject, rng: random.Random, words: str) -> Damaged | None:
    for at in plain_turns(subject.script, rng):
        return Damaged(subject.plan, add(subject.script, at, words), claims.free_of(at, words))
    return None


def exchanged_ids(subject: Subject, rng: random.Random) -> Damaged | None:
    """Two turns have each other's ids."""
    script = subject.script
    at = rng.randrange(len(script.turns) - 1)
    one, two = script.turns[at], script.turns[at + 1]
    damaged = set_turn(set_turn(script, at, id=two.id), at + 1, id=one.id)
    other = {one.id: two.id, two.id: one.id}
    return Damaged(
        subject.plan,
        replace(
            damaged,
            spans=tuple(replace(each, turn=other.get(each.turn, each.turn)) for each in damaged.spans),
            mentions=tuple(replace(each, turn=other.get(each.turn, each.turn)) for each in damaged.mentions),
        ),
        claims.ids_agree(),
    )


def other_frame(subject: Subject, rng: random.Random) -> Damaged | None:
    """The script is of another family or scenario, or its dates are counted from another day."""
    change = rng.choice(
        ({"family": f"{subject.script.family[:-1]}?"}, {"scenario": "insurance"}, {"anchor_date": "2025-12-31"})
    )
    return Damaged(subject.plan, replace(subject.script, **change), claims.ids_agree())


def stranger(subject: Subject, rng: random.Random) -> Damaged | None:
    """A turn is spoken by nobody of the cast."""
    for at in plain_turns(subject.script, rng):
        return Damaged(subject.plan, set_turn(subject.script, at, person="p9"), claims.cast_speaks())
    return None


def silent(subject: Subject, rng: random.Random) -> Damaged | None:
    """A member of the cast says nothing in the whole dialogue."""
    plan, script, blueprint, _ = subject
    names = blueprint.names
    taken = {person.name[0] for person in plan.cast}
    surname = drawn([name for name in names.surnames if name[0] not in taken], rng)[0]
    extra = replace(plan.cast[0], id="p8", name=surname + rng.choice(names.given_male), gender="male")
    if len(plan.cast) == 4:
        return None
    return Damaged(
        replace(plan, cast=(*plan.cast, extra)), replace(script, cast=(*script.cast, extra)), claims.cast_speaks()
    )


def stale_range(subject: Subject, rng: random.Random) -> Damaged | None:
    """A turn was shortened, and ranges in it reach past its end."""
    script = subject.script
    for span in drawn(script.spans, rng):
        at = turn_index(script, span.turn)
        text = script.turns[at].text
        inside = [each for each in claims.parts(script) if each.turn == span.turn]
        if span.kind in {"premise", "authority", "scope"} and all(each.end <= span.end for each in inside):
            damaged = set_turn(script, at, text=text[: span.end - 2] + "。")
            return Damaged(subject.plan, replace(damaged, edited=True), claims.ranges_fit())
    return None


def unknown_target(subject: Subject, rng: random.Random) -> Damaged | None:
    """A premise is marked for an event that the plan does not have."""
    script = subject.script
    span = replace(rng.choice(script.spans), kind="premise", target="e99", antecedent=None)
    return Damaged(subject.plan, replace(script, spans=(*script.spans, span)), claims.targets_known())

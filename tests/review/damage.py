"""Kinds of damage for good scripts, each with the rule that must find it.

A kind takes a plan and a script and returns both, damaged, or None where there is nothing of its kind to damage.
"""

from __future__ import annotations

from review import damage_chain as chain
from review import damage_numbers as numbers
from review import damage_talk as talk
from review.damage_tools import Kind

KINDS: tuple[tuple[Kind, str], ...] = (
    (chain.exchanged_ids, "identity"),
    (chain.other_family, "identity"),
    (chain.exchanged_beats, "order"),
    (chain.stranger, "cast"),
    (chain.mute, "cast"),
    (chain.stale_range, "ranges"),
    (chain.unknown_target, "targets"),
    (chain.event_without_right, "right"),
    (chain.entitled_candidate, "candidate-right"),
    (chain.authority_words_gone, "authority-heard"),
    (chain.authority_of_another, "authority-heard"),
    (chain.authority_span_gone, "authority-heard"),
    (chain.limit_words_gone, "limit-heard"),
    (chain.event_sentence_gone, "trigger"),
    (chain.split_trigger, "trigger"),
    (chain.wrong_speaker, "trigger-speaker"),
    (chain.exchanged_events, "order"),
    (chain.obstacle_gone, "obstacle"),
    (chain.hold_that_goes_on, "obstacle"),
    (chain.conclusion_gone, "conclusion"),
    (chain.conclusion_left_open, "conclusion"),
    (chain.scope_gone, "conclusion"),
    (numbers.undeclared_number, "undeclared"),
    (numbers.undeclared_date, "undeclared"),
    (numbers.changed_number, "mention-value"),
    (numbers.wrong_unit, "mention-value"),
    (numbers.other_value, "mention-role"),
    (numbers.other_value, "event-value"),
    (numbers.changed_echo, "mention-role"),
    (numbers.antecedent_gone, "targets"),
    (numbers.antecedent_unnamed, "event-value"),
    (numbers.antecedent_after, "antecedent"),
    (numbers.antecedent_elsewhere, "antecedent"),
    (numbers.early_echo, "mention-role"),
    (numbers.candidate_unsaid, "planned-number"),
    (talk.settled_early, "early-settle"),
    (talk.settled_never, "early-settle"),
    (talk.self_greeting, "self-address"),
    (talk.self_name, "self-address"),
    (talk.stage_direction, "directions"),
    (talk.bracket, "directions"),
    (talk.markup, "directions"),
    (talk.name_label, "label"),
    (talk.digits, "speakable"),
    (talk.unspeakable, "speakable"),
    (talk.only_punctuation, "speakable"),
    (talk.real_bank, "fictional"),
    (talk.telephone, "personal"),
    (talk.too_short, "length"),
    (talk.said_twice, "repeat"),
)
"""Each kind with the code of the rule that must find it."""

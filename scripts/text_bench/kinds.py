"""The kinds of damage, each with the rule that must find it."""

from __future__ import annotations

from text_bench import damage_events as events
from text_bench import damage_frame as frame
from text_bench import damage_names as names
from text_bench import damage_numbers as numbers
from text_bench import damage_rights as rights
from text_bench import damage_second as second
from text_bench import damage_talk as talk
from text_bench.kind import Kind

KINDS: tuple[Kind, ...] = (
    # value, unit, echo, premise, candidate
    Kind("value changed in the text", "mention-value", numbers.text_changed),
    Kind("wrong unit", "mention-value", numbers.wrong_unit),
    Kind("ranges slipped", "mention-value", numbers.ranges_slipped),
    Kind("value not the plan's", "mention-role", numbers.value_of_plan),
    Kind("changed echo", "mention-role", numbers.changed_echo),
    Kind("early echo", "mention-role", numbers.early_echo),
    Kind("changed candidate", "mention-role", numbers.changed_candidate),
    Kind("changed distractor", "mention-role", numbers.changed_distractor),
    Kind("changed premise", "mention-role", numbers.changed_premise),
    Kind("value unsaid", "event-value", numbers.value_unsaid),
    Kind("undeclared number", "undeclared", numbers.undeclared_number),
    Kind("undeclared date", "undeclared", numbers.undeclared_date),
    Kind("second amount in a trigger", "undeclared", numbers.second_amount),
    Kind("candidate unsaid", "planned-number", numbers.candidate_unsaid),
    Kind("distractor unsaid", "planned-number", numbers.distractor_unsaid),
    Kind("distractor of another person", "planned-number", numbers.distractor_of_another),
    Kind("antecedent removed", "targets", numbers.antecedent_gone),
    Kind("antecedent unnamed", "event-value", numbers.antecedent_unnamed),
    Kind("antecedent after", "antecedent", numbers.antecedent_after),
    Kind("antecedent of something else", "antecedent", numbers.antecedent_elsewhere),
    # events
    Kind("event sentence deleted", "trigger", events.sentence_gone),
    Kind("trigger split", "trigger", events.split_trigger),
    Kind("wrong speaker", "trigger-speaker", events.wrong_speaker),
    Kind("speakers exchanged", "trigger-speaker", events.exchanged_speakers),
    Kind("events exchanged", "order", events.exchanged_events),
    Kind("beats exchanged", "order", events.exchanged_beats),
    Kind("action words removed", "action", events.action_words_gone),
    Kind("missing obstacle", "obstacle", events.obstacle_gone),
    Kind("obstacle denied", "obstacle", events.obstacle_denied),
    Kind("hold that goes on", "obstacle", events.hold_goes_on),
    Kind("closing words removed", "conclusion", events.conclusion_gone),
    Kind("closing words take themselves back", "conclusion", events.conclusion_left_open),
    Kind("result reversed", "conclusion", events.result_reversed),
    Kind("scope removed", "conclusion", events.scope_gone),
    Kind("scope of another field", "conclusion", events.scope_of_another),
    Kind("reopening unsaid", "reopening", events.reopened_unsaid),
    Kind("resumed in the turn of the hold", "resumption", events.resumed_at_once),
    Kind("event without a right", "right", rights.event_without_right),
    Kind("right taken away", "right", rights.right_taken_away),
    Kind("entitled candidate", "candidate-right", rights.entitled_candidate),
    # closing and authority
    Kind("settled early", "early-settle", talk.settled_early),
    Kind("settled never", "early-settle", talk.settled_never),
    Kind("extra settled amount", "early-settle", talk.amount_settled),
    Kind("settled by the longer name", "early-settle", talk.settled_by_longer_name),
    Kind("authority words removed", "authority-heard", rights.authority_words_gone),
    Kind("authority unmarked", "authority-heard", rights.authority_unmarked),
    Kind("authority of another", "authority-heard", rights.authority_of_another),
    Kind("limit words removed", "limit-heard", rights.limit_words_gone),
    Kind("limit unmarked", "limit-heard", rights.limit_unmarked),
    # names
    Kind("swapped names", "address", names.swapped_names),
    Kind("names exchanged throughout", "address", names.exchanged_names),
    Kind("greets himself", "self-address", names.self_greeting),
    Kind("speaks of himself by name", "self-address", names.self_name),
    # what is no speech of this dialogue
    Kind("direction, markup, digits", "speakable", frame.mark),
    Kind("nothing spoken", "speakable", frame.only_marks),
    Kind("speaker label", "label", frame.label),
    Kind("real institution", "fictional", frame.real_institution),
    Kind("personal data", "personal", frame.personal_data),
    Kind("too short", "length", frame.too_short, windowed=True),
    Kind("too long", "length", frame.too_long, windowed=True),
    Kind("said twice", "repeat", frame.said_twice),
    Kind("turn cut in two", "alternation", frame.turn_cut_in_two),
    Kind("family copied", "near-duplicate", frame.near_copy, copy=True),
    # ids, cast, ranges
    Kind("turn ids exchanged", "identity", frame.exchanged_ids),
    Kind("other family or day", "identity", frame.other_frame),
    Kind("stranger", "cast", frame.stranger),
    Kind("silent member", "cast", frame.silent),
    Kind("stale range", "ranges", frame.stale_range),
    Kind("unknown target", "targets", frame.unknown_target),
    # what holds in A alone
    Kind("B: event ascribed to A's speaker", "swap-ascribed", second.leak_ascribed, leak=True),
    Kind("B: A's speaker called", "address", second.leak_called, leak=True),
    Kind("B: speaks of himself", "self-address", second.leak_self, leak=True),
    Kind("B: another's past", "swap-past", second.leak_past, leak=True),
    Kind("B: pronoun of A's speaker", "swap-pronoun", second.leak_pronoun, leak=True),
    Kind("B: settled in A alone", "early-settle", second.leak_closed, leak=True),
    Kind("B: settled by A's decider", "early-settle", second.leak_closed_by, leak=True),
    Kind("B: glad of what A grants", "confirm-glad", second.leak_glad, leak=True),
    Kind("B: side told in a kept turn", "role-keep", second.leak_side, leak=True),
)
"""In the order of the printed table."""

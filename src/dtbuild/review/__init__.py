"""Checks scripts against their gold, one check a rule.

`rules` holds the ordered table and the verdict; `case` what the checks look at; `shape`, `rights`, `chain`,
`numbers`, `closing`, `wording` and `extent` the checks; `words.yaml` the wordings they look for.
"""

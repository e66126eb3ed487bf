"""How Chinese amounts, rates, terms and dates are said, read and compared; pinyin.

| name | what for |
|---|---|
| `say(value, style)`, `STYLES`, `styles_of` | a value in 汉字 |
| `read(text)`, `Mention` | every mention of a running text, with its span |
| `same(a, b, layer)` | whether two values are the same decision |
| `spoken(text)`, `pinyin(text)`, `TERMS` | text as an engine gets it |
| `normalise(text)` | full-width characters, length kept |

>>> from dtbuild.lexicon import read, say
>>> say(read("290万")[0].value)
'两百九十万'
"""

from dtbuild.lexicon.compare import same
from dtbuild.lexicon.mentions import Mention
from dtbuild.lexicon.pronouncing import pinyin
from dtbuild.lexicon.reading import read
from dtbuild.lexicon.saying import STYLES, say, styles_of
from dtbuild.lexicon.speech import spoken
from dtbuild.lexicon.tables import TERMS
from dtbuild.lexicon.widths import normalise

__all__ = [
    "STYLES", "TERMS", "Mention", "normalise", "pinyin", "read", "same", "say", "spoken", "styles_of",
]  # fmt: skip

"""The language of a text by its commonest words: enough to notice a wrong vocabulary."""

from __future__ import annotations

from collections import Counter

# The commonest words of each language that the others have rarely or not at all.
_COMMON = {
    "English": "the of and to is that it was for on with as this my have you not are but at by",
    "German": "der die und das ist nicht ich ein eine zu den mit sie auf für es dem sich auch wir",
    "French": "le la les des et est une que pas je pour dans vous qui ne au du sur avec ce il mon",
    "Spanish": "el los las que una es por con para del se su lo más pero mi como está muy ya y en",
    "Italian": "il che di è non una per sono con del della ho mi ma gli si al questo anche nel",
    "Portuguese": "o os que não uma é para com do da em um no na se por mais meu minha foi eu",
    "Dutch": "de het een van ik niet dat en is op te met voor zijn er maar je ook aan bij",
    "Polish": "nie się na jest że to w z do i co jak ale mnie za od tak mi po dla",
    "Swedish": "och att det som en på är av för den till inte jag med ett har om var men",
    "Turkish": "bir ve bu için da de çok ne ben ama gibi daha var mi kadar olarak sonra",
}
_FEWEST_WORDS, _LEAST_SHARE = 30, 0.08


def language(words: Counter[str]) -> str | None:
    """The language whose commonest words are the largest share of these; None if none is."""
    total = words.total()
    if total < _FEWEST_WORDS:
        return None
    shares = {name: sum(words[w] for w in set(c.split())) / total for name, c in _COMMON.items()}
    best = max(shares, key=shares.__getitem__)
    return best if shares[best] >= _LEAST_SHARE else None

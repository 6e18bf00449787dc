"""The sentence on tokens that are released as typed is true for every choice."""

from itertools import product

import pytest

from mechanisms import CMP
from mechanisms.randomness import seeded_rng
from mechanisms.text import Status, private_versions
from mechanisms.tokens import Kind
from release.unprotected import released_as_typed
from tests.toy import TOY


@pytest.mark.parametrize(
    ("count", "tokens", "end"),
    [
        (0, 1, "0 of 1 token are released as typed."),
        (1, 2, "1 of 2 tokens is released as typed."),
        (2, 2_300, "2 of 2,300 tokens are released as typed."),
    ],
)
def test_the_verb_follows_the_count_and_the_noun_the_total(count, tokens, end):
    assert released_as_typed(count, tokens, "random").endswith(f": {end}")


def test_a_mark_is_named_only_where_it_is_on_screen():
    assert "(" not in released_as_typed(1, 3, "random")
    assert "1 of 3 tokens (dotted frame) is" in released_as_typed(
        1, 3, "random", mark="dotted frame"
    )


@pytest.mark.parametrize(
    ("unknown", "html"),
    list(product(("random", "mask", "drop", "keep"), ("decode", "drop", "keep"))),
)
def test_the_sentence_names_every_kind_of_token_that_is_released_as_typed(unknown, html):
    """What the sentence names is compared with what is released, for every choice."""
    text = f"{TOY.words[0]}, Zebra 1234 <b>{TOY.words[1]}</b>"
    private = private_versions(text, CMP(epsilon=1), TOY, seeded_rng(0), unknown=unknown, html=html)
    kept = [
        token
        for token, piece in zip(private.tokens, private.versions[0], strict=True)
        if piece.status is Status.UNPROTECTED
    ]
    said = released_as_typed(len(kept), private.token_count, unknown, html)
    assert said.startswith("Punctuation")
    assert any(token.text == "," for token in kept)
    assert ("unknown words and numbers" in said) == any(t.kind is Kind.WORD for t in kept)
    assert ("unknown words and numbers" in said) == any(t.kind is Kind.NUMBER for t in kept)
    assert ("HTML" in said) == any(token.text.startswith("<") for token in kept)

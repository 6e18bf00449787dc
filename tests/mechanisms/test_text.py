import dataclasses
import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms import CMP, TEM, Vocabulary
from mechanisms import text as text_module
from mechanisms.base import Mechanism
from mechanisms.randomness import seeded_rng
from mechanisms.text import MASK, PrivateText, Status, private_versions, privatise_all
from mechanisms.tokens import Kind, tokenise, tokenise_all
from tests.claims import assert_drawn_from, assert_not_drawn_from
from tests.toy import TOY

NOTHING_CHANGES = CMP(epsilon=1e9)

HARD_TEXTS = [
    """Don't "wanna" say I've (really) gone. Mr. O'Neil's rock'n'roll costs $5.""",
    "I can’t, won’t, shan't; they'd've said it’s fine… isn't it?",
    "emoji 😀 👩‍👩‍👧 🇫🇷 and ☎️",
    "tabs\tand\n\nline\r\nbreaks \u00a0 and \u2028 separators",
    "مرحبا بالعالم, 你好世界, こんにちは, привет",
    "cafe\u0301 café naïve Ångström ﬁne İstanbul ẞ ǅ",
    "$x_y$ *a* _b_ `c` :smile: <script>alert('x')</script> &amp; \\n",
    "mother-in-law well-known e-mail: john.smith@example.com, http://a.b/c?d=e#f",
    "1,000.50 10:45 3rd 2020-01-01 .5 5. -5 +5 50% b2b covid19",
    "'quoted' ''double'' `tick` 'tis the '90s rock 'n' roll",
    "\x00\x01\x1b[31m control \u202e reversed \u200b zero",
    "ALL CAPS Title iPhone McDonald X a",
    "...",
    "   ",
    "",
    "a",
]


def retype(text, vocabulary, html="keep"):
    """The text after a mechanism that changes nothing, letter case as typed, unknown words kept."""
    options = {"unknown": "keep", "case": "as typed", "html": html}
    return private_versions(text, NOTHING_CHANGES, vocabulary, seeded_rng(0), **options).texts


# What Unicode calls default ignorable outside of the category Cf.
IGNORABLE = [
    *(0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0),
    *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFF9)),
    *range(0xE0000, 0xE1000),
]


def is_hidden(character):
    """Whether a reader does not see it, by the tables of Python."""
    category = unicodedata.category(character)
    if category == "Cc":
        return not character.isspace()
    return category == "Cf" or ord(character) in IGNORABLE


def seen(text):
    return "".join(c for c in text if not is_hidden(c))


def in_pattern(typed, word):
    """The word as a reader would copy the letter case of what was typed."""
    letters = [c for c in typed if c.isalpha()]
    if len(letters) >= 2 and typed == typed.upper() and all(c.isupper() for c in letters):
        return word.upper()
    if letters and unicodedata.category(letters[0]) in ("Lu", "Lt"):
        place = [c.isalpha() for c in word].index(True) if any(map(str.isalpha, word)) else 0
        return word[:place] + word[place : place + 1].upper() + word[place + 1 :]
    return word


@pytest.mark.parametrize("text", HARD_TEXTS)
def test_a_text_comes_back_in_its_patterns_where_no_word_changes(text, glove, glove_every_token):
    for vocabulary in (glove, glove_every_token):
        expected = "".join(
            token.text
            if token.word_id is None
            else in_pattern(token.text, vocabulary.words[token.word_id])
            for token in tokenise(text, vocabulary)
        )
        assert retype(text, vocabulary) == [expected]


@pytest.mark.parametrize("text", HARD_TEXTS)
def test_tokens_put_together_are_the_text_that_is_seen(text, glove):
    assert "".join(token.text for token in tokenise(text, glove)) == seen(text)


@settings(max_examples=300)
@given(st.text() | st.text(alphabet="aTn'’.-_ \n1é\u0301don't've&;<br/>\u00ad\u200d"))
def test_any_text_comes_back_where_nothing_is_known(text):
    vocabulary = Vocabulary(["\ue000"], np.eye(1))
    cut = "".join(token.text for token in tokenise(text, vocabulary))
    assert seen(cut) == seen(text)
    assert retype(text, vocabulary) == [cut]


# ------------------------------------------------------------------------------------- letter case


@pytest.mark.parametrize(
    "spellings",
    [
        ["iphone", "iPhone", "iPHONE", "iPhOnE", "ip\u00adhone", "ｉphone"],
        ["Iphone", "IPhone", "IphonE", "IPHONe"],
        ["IPHONE", "IP\u00adHONE", "ＩＰＨＯＮＥ"],
        ["o'neill", "o’neill", "oʼNeill", "o‘neill", "o＇neill"],
        ["O'Neill", "O’neill", "O`Neill"],
        ["McCain", "Mccain", "MccaiN"],
        ["I"],
        ["café", "cafe\u0301", "caFÉ"],
        ["istanbul", "ıstanbul"],
        ["Istanbul", "İstanbul"],
    ],
)
@pytest.mark.parametrize("case", ["lower", "as typed"])
def test_bytes_depend_on_the_drawn_word_alone_among_spellings_of_one_pattern(spellings, case):
    words = ["iphone", "o'neill", "mccain", "i", "café", "istanbul", "n't", "McX", "ǆ"]
    vocabulary = Vocabulary(words, np.eye(len(words)))
    drawn = np.arange(len(words))[None]
    released = set()
    for typed in spellings:
        (token,) = tokenise(typed, vocabulary)
        assert token.word_id is not None, typed
        # Every word of the vocabulary in turn, the typed one among them.
        private = PrivateText((token,), vocabulary, drawn, "random", case)
        released.add((tuple(private.texts), private.versions))
    assert len(released) == 1


@pytest.mark.parametrize(
    ("typed", "released"),
    [("iPhone", "cat"), ("McCain", "Cat"), ("I", "Cat"), ("O’NEILL", "CAT"), ("US", "CAT")],
)
def test_a_letter_case_is_one_of_three_patterns_whatever_comes_out(typed, released):
    words = ["cat", "iphone", "mccain", "i", "o'neill", "us"]
    vocabulary = Vocabulary(words, np.eye(len(words)))
    private = private_versions(typed, Swap(epsilon=1), vocabulary, seeded_rng(0), case="as typed")
    (token,) = private.tokens
    same = np.full((1, 1), token.word_id)
    pattern = {"cat": str.lower, "Cat": str.capitalize, "CAT": str.upper}[released]
    stayed = dataclasses.replace(private, drawn=same)
    assert stayed.texts == [pattern(words[token.word_id])]
    assert dataclasses.replace(private, drawn=np.zeros((1, 1), np.int64)).texts == [released]


# --------------------------------------------------------------------------------- words and signs


def kinds(text, vocabulary):
    return [
        (token.text, token.kind.value, token.word_id is not None)
        for token in tokenise(text, vocabulary)
        if token.kind is not Kind.SPACE
    ]


def test_contractions_are_cut_as_the_embedding_cuts_them(glove_every_token):
    assert kinds("Don't I've can't it’s", glove_every_token) == [
        ("Do", "word", True),
        ("n't", "word", True),
        ("I", "word", True),
        ("'ve", "word", True),
        ("ca", "word", True),
        ("n't", "word", True),
        ("it", "word", True),
        ("’s", "word", True),
    ]


def test_a_known_whole_is_not_cut():
    vocabulary = Vocabulary(["o'neill", "mother-in-law", "3.5", "mother", "law"], np.eye(5))
    assert kinds("O'Neill mother-in-law 3.5", vocabulary) == [
        ("O'Neill", "word", True),
        ("mother-in-law", "word", True),
        ("3.5", "number", True),
    ]


def test_an_unknown_compound_is_cut_into_its_known_parts(glove):
    assert kinds("zebra-movie", glove)[1:] == [("-", "sign", False), ("movie", "word", True)]


def test_a_number_that_is_unknown_stays_in_one_piece(glove):
    assert kinds("1,234.56", glove) == [("1,234.56", "number", False)]


def test_words_are_found_in_any_letter_case_and_with_decomposed_accents():
    vocabulary = Vocabulary(["movie", "café"], np.eye(2))
    for typed in ("Movie", "MOVIE", "cafe\u0301", "CAFÉ"):
        assert [known for _, _, known in kinds(typed, vocabulary)] == [True]


@settings(max_examples=300)
@given(
    st.lists(
        st.text() | st.text(alphabet="aTn'’.-_ \n\x1cé\u0301don't've&;<br/>\u00ad\u200d"),
        max_size=4,
    )
)
def test_texts_are_cut_together_as_they_are_one_by_one(texts):
    vocabulary = Vocabulary(["a", "do", "n't", "'ve", "at", "é", "a.t."], np.eye(7))
    one_by_one = [tuple(tokenise(text, vocabulary)) for text in texts]
    assert list(tokenise_all(texts, vocabulary)) == one_by_one


class Swap(Mechanism):
    """Replaces every word by one fixed word."""

    name = "Swap"

    def guarantee(self, vocabulary):
        raise NotImplementedError

    def sample(self, vocabulary, word_ids, size, rng):
        return np.full((len(word_ids), size), 1)


TWO = Vocabulary(["cat", "dog", "n't"], np.eye(3))


def replaced(text, case, vocabulary=TWO, unknown="keep"):
    return private_versions(
        text, Swap(epsilon=1), vocabulary, seeded_rng(0), 1, unknown, case
    ).texts[0]


def test_lower_case_is_released_by_default_and_the_pattern_of_the_input_on_demand():
    assert replaced("Cat CAT cat", "lower") == "dog dog dog"
    assert replaced("Cat CAT cat", "as typed") == "Dog DOG dog"


def test_a_letter_case_can_be_changed_without_a_fresh_draw(glove):
    private = private_versions("Cats And Dogs", CMP(epsilon=5), glove, seeded_rng(0))
    respelled = dataclasses.replace(private, case="as typed")
    assert respelled.drawn is private.drawn
    assert [t.lower() for t in respelled.texts] == private.texts


def test_the_halves_of_a_contraction_are_set_apart_where_the_second_is_no_longer_one():
    assert replaced("catn't", "lower") == "dog dog"


UNKNOWN = "the qxzzy sat, 98765 qxzzy!"


def test_unknown_words_are_replaced_by_uniform_draws_by_default():
    vocabulary = TOY
    private = private_versions("qxzzy " * 6000, TEM(epsilon=1), vocabulary, seeded_rng(1))
    counts = Counter(private.texts[0].split())
    assert "qxzzy" not in counts
    assert_drawn_from([counts[w] for w in vocabulary.words], np.ones(len(vocabulary)))
    assert private.unprotected_count == 0


def test_unknown_words_are_masked_on_demand(glove):
    private = private_versions(UNKNOWN, NOTHING_CHANGES, glove, seeded_rng(0), unknown="mask")
    assert private.texts == [f"the {MASK} sat, {MASK} {MASK}!"]


def test_dropped_words_leave_no_double_space_and_no_trace(glove):
    private = private_versions(UNKNOWN, NOTHING_CHANGES, glove, seeded_rng(0), unknown="drop")
    assert private.texts == ["the sat, !"]
    alone = private_versions("qxzzy", NOTHING_CHANGES, glove, seeded_rng(0), unknown="drop")
    assert alone.texts == [""]


def test_kept_words_and_signs_are_counted_as_not_protected(glove):
    private = private_versions(UNKNOWN, NOTHING_CHANGES, glove, seeded_rng(0), unknown="keep")
    assert private.texts == [UNKNOWN]
    assert (private.unprotected_count, private.token_count) == (5, 7)
    marked = [p.text for p in private.versions[0] if p.status is Status.UNPROTECTED]
    assert marked == ["qxzzy", ",", "98765", "qxzzy", "!"]


@pytest.mark.parametrize("unknown", ["random", "mask", "drop"])
def test_an_unknown_word_never_comes_out_unless_it_is_kept(unknown, glove):
    private = private_versions(UNKNOWN, CMP(epsilon=5), glove, seeded_rng(0), 50, unknown=unknown)
    assert not any("qxzzy" in text or "98765" in text for text in private.texts)


def test_every_occurrence_of_a_word_is_drawn_anew(glove):
    private = private_versions("movie " * 400, CMP(epsilon=6), glove, seeded_rng(0), versions=2)
    first, second = (text.split() for text in private.texts)
    assert len(set(first)) > 20
    assert first != second


def test_versions_are_drawn_from_the_law_of_each_word():
    mechanism = TEM(epsilon=1.5)
    private = private_versions("east lonely", mechanism, TOY, seeded_rng(3), versions=8000)
    laws = np.exp(mechanism.log_prob(TOY, TOY.ids(["east", "lonely"])))
    for column, law in enumerate(laws):
        drawn = [text.split()[column] for text in private.texts]
        assert_drawn_from([drawn.count(w) for w in TOY.words], law)


@pytest.mark.parametrize("unknown", ["mask", "drop", "keep"])
@pytest.mark.parametrize("draws_at_once", [7, 65_536])
def test_every_text_of_many_gets_its_own_draws_back(unknown, draws_at_once, glove, monkeypatch):
    monkeypatch.setattr(text_module, "_DRAWS", draws_at_once)
    options = {"unknown": unknown, "case": "as typed", "html": "keep"}
    together = privatise_all(HARD_TEXTS, NOTHING_CHANGES, glove, seeded_rng(0), **options)
    for text, private in zip(HARD_TEXTS, together, strict=True):
        alone = private_versions(text, NOTHING_CHANGES, glove, seeded_rng(0), **options)
        assert (private.versions, private.tokens) == (alone.versions, alone.tokens)
        assert unknown != "keep" or private.texts == retype(text, glove)


def test_texts_drawn_together_follow_the_law_of_each_word_and_do_not_depend_on_each_other():
    mechanism = TEM(epsilon=1.5)
    texts = ["east lonely", "qxzzy east"] * 4000
    words = [p.texts[0].split() for p in privatise_all(texts, mechanism, TOY, seeded_rng(4))]
    east, lonely = np.exp(mechanism.log_prob(TOY, TOY.ids(["east", "lonely"])))
    uniform = np.full(len(TOY), 1 / len(TOY))
    for start, column, law in [(0, 0, east), (0, 1, lonely), (1, 0, uniform), (1, 1, east)]:
        drawn = Counter(text[column] for text in words[start::2])
        assert_drawn_from([drawn[w] for w in TOY.words], law)
    pairs = Counter((a, b) for (a, _), (_, b) in zip(words[::2], words[1::2], strict=True))
    both = np.outer(east, east)
    assert_drawn_from([pairs[a, b] for a in TOY.words for b in TOY.words], both.ravel())
    assert_not_drawn_from([pairs[a, b] for b in TOY.words for a in TOY.words[::-1]], both.ravel())


def test_a_word_of_many_texts_is_asked_for_at_once_and_the_work_can_be_stopped(monkeypatch):
    monkeypatch.setattr(text_module, "_DRAWS", 4)
    asked, shares = [], []

    class Asked(Swap):
        name = "Asked"

        def sample(self, vocabulary, word_ids, size, rng):
            asked.append(word_ids.tolist())
            return super().sample(vocabulary, word_ids, size, rng)

    texts = ["cat dog cat", "dog cat"]
    privatise_all(texts, Asked(epsilon=1), TWO, seeded_rng(0), progress=shares.append)
    assert asked == [[0, 0, 0, 1], [1]]
    assert shares == [0.8, 1.0]

    def stop(share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        privatise_all(texts, Asked(epsilon=1), TWO, seeded_rng(0), progress=stop)
    assert len(asked) == 3


def test_no_texts_are_no_private_texts_and_one_text_is_not_a_list_of_letters():
    assert privatise_all([], NOTHING_CHANGES, TOY, seeded_rng(0)) == []
    with pytest.raises(TypeError, match="texts must be a list of texts; .* `privatise`"):
        privatise_all("east", NOTHING_CHANGES, TOY, seeded_rng(0))


def test_words_without_a_law_are_unknown_in_every_text():
    class OnlyCats(Swap):
        name = "Only cats"

        def covers(self, vocabulary, word_ids):
            return np.asarray(word_ids) == 0

    texts = ["cat dog", "dog", "cat"]
    private = privatise_all(texts, OnlyCats(epsilon=1), TWO, seeded_rng(0), unknown="mask")
    assert [p.texts[0] for p in private] == [f"dog {MASK}", MASK, "dog"]


class Broken(Swap):
    """Returns ids that are not words."""

    name = "Broken"

    def sample(self, vocabulary, word_ids, size, rng):
        return np.full((len(word_ids), size), -1)


def test_nothing_is_released_where_a_mechanism_fails(glove):
    with pytest.raises(LookupError, match="word ids lie in"):
        private_versions("the movie", Broken(epsilon=1), glove, seeded_rng(0))


@pytest.mark.parametrize(
    ("option", "value"),
    [("unknown", "shout"), ("case", "upper"), ("html", "escape"), ("versions", 0)],
)
def test_a_bad_option_is_named(option, value, glove):
    with pytest.raises(ValueError, match=rf"{option} must be .*; got {value!r}"):
        private_versions("a", CMP(epsilon=1), glove, seeded_rng(0), **{option: value})


APOSTROPHES = "'’‘ʼ＇‛´`′ʻ"


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
def test_apostrophes_are_alike_in_contractions_and_in_words(apostrophe):
    vocabulary = Vocabulary(["do", "n't", "o'neill", "'s", "it"], np.eye(5))
    typed = f"don{apostrophe}t O{apostrophe}Neill it{apostrophe}s"
    ids = [t.word_id for t in tokenise(typed, vocabulary) if t.kind is not Kind.SPACE]
    assert ids == [0, 1, 2, 4, 3]


@pytest.mark.parametrize("apostrophe", APOSTROPHES)
def test_a_quoted_word_is_a_word_between_two_signs(apostrophe):
    vocabulary = Vocabulary(["cat"], np.eye(1))
    expected = [(apostrophe, "sign", False), ("cat", "word", True), (apostrophe, "sign", False)]
    assert kinds(f"{apostrophe}cat{apostrophe}", vocabulary) == expected


@pytest.mark.parametrize("text", ["U.S.", "u.s.a.", "a.m.", "É.U.", "e.g."])
def test_letters_with_a_full_stop_each_are_one_word_also_where_the_vocabulary_lacks_it(text):
    vocabulary = Vocabulary(["u", "s", "a", "m", "e", "cat"], np.eye(6))
    assert kinds(f"{text}, cat", vocabulary)[0] == (text, "word", False)
    assert kinds(f"({text})", vocabulary)[1] == (text, "word", False)
    assert kinds("A. cat. 1.2.", vocabulary)[:2] == [("A", "word", True), (".", "sign", False)]


def test_an_abbreviation_is_found_whole_with_its_last_full_stop():
    vocabulary = Vocabulary(["u.s.", "a.m.", "inc.", "inc", "u", "s", "cat"], np.eye(7))
    assert kinds("The U.S. at 5 a.m., Inc.) inc... Cat. U.S.-cat", vocabulary)[1:] == [
        ("U.S.", "word", True),
        ("at", "word", False),
        ("5", "number", False),
        ("a.m.", "word", True),
        (",", "sign", False),
        ("Inc.", "word", True),
        (")", "sign", False),
        ("inc", "word", True),
        *[(".", "sign", False)] * 3,
        ("Cat", "word", True),
        (".", "sign", False),
        ("U.S.", "word", True),
        ("-", "sign", False),
        ("cat", "word", True),
    ]


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("İstanbul", "istanbul"),
        ("ISTANBUL", "istanbul"),
        ("İSTANBUL", "istanbul"),
        ("ıstanbul", "istanbul"),
        ("IŞIK", "ışık"),
        ("Işık", "ışık"),
        ("DİZİ", "dizi"),
        ("ⓕⓘⓛⓜ", "film"),
        ("ＦＩＬＭ", "film"),
        ("ﬁlm", "film"),
        ("𝓯𝓲𝓵𝓶", "film"),
        ("fi\u00adlm", "film"),
        ("f\u200bi\u2060l\U000e0041m", "film"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("fi\u200clm", "film"),
    ],
)
def test_a_word_in_disguise_is_the_word_that_it_is(typed, word):
    words = ["istanbul", "ışık", "dizi", "film", "می\u200cخواهم"]
    vocabulary = Vocabulary(words, np.eye(len(words)))
    (token,) = tokenise(typed, vocabulary)
    assert words[token.word_id] == word


@pytest.mark.parametrize(
    ("typed", "kind"),
    [("⠓⠑⠇⠇⠕", "word"), ("Ⓠⓧⓩ", "word"), ("🅰🅱", "word"), ("①②", "number"), ("⒜⒝", "word")],
)
def test_braille_and_letters_in_circles_are_words_and_never_released_as_signs(typed, kind, glove):
    assert kinds(typed, glove) == [(typed, kind, False)]
    private = private_versions(typed, NOTHING_CHANGES, glove, seeded_rng(0))
    assert private.unprotected_count == 0
    assert typed not in private.texts[0]


@pytest.mark.parametrize("unknown", ["random", "mask", "drop", "keep"])
def test_nothing_invisible_is_released_and_what_was_removed_is_counted(unknown):
    hidden = "\u00ad\u200b\u200d\u2060\ufeff\u202e\U000e0041\ufe0f\u3164\x00\x1b\x9f"
    text = f"ca{hidden}t qx{hidden}zy, 👩\u200d👧 a\u200cb" + hidden
    private = private_versions(text, NOTHING_CHANGES, TWO, seeded_rng(0), unknown=unknown)
    assert not any(map(is_hidden, private.texts[0]))
    assert private.noticed == {"invisible characters": 3 * len(hidden) + 2}
    assert private.texts[0].startswith("cat ")


def test_every_format_character_of_unicode_is_removed():
    hidden = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) == "Cf"]
    text = "-".join(hidden)
    private = private_versions(text, NOTHING_CHANGES, TWO, seeded_rng(0))
    assert private.texts == ["-" * (len(hidden) - 1)]
    assert private.noticed == {"invisible characters": len(hidden)}


# -------------------------------------------------------------------------------------------- HTML


MARKUP = "cat<br /><br />dog &amp;amp; caf&eacute; <a href='secret'>x</a> <bmw /> AT&T; &lt;b&gt;"


@pytest.mark.parametrize(
    ("html", "released", "noticed"),
    [
        ("decode", "cat dog & café x <bmw /> AT&T; ", {"HTML entities": 4, "HTML tags": 5}),
        ("drop", "cat dog   caf  x <bmw /> AT&T;  b ", {"HTML entities": 4, "HTML tags": 4}),
        ("keep", MARKUP, {"HTML entities": 4, "HTML tags": 4}),
    ],
)
def test_html_is_decoded_dropped_or_kept_by_choice_and_counted(html, released, noticed):
    options = {"unknown": "keep", "html": html}
    private = private_versions(MARKUP, NOTHING_CHANGES, TWO, seeded_rng(0), **options)
    assert private.texts == [released]
    assert private.noticed == noticed


@pytest.mark.parametrize("html", ["decode", "drop", "keep"])
def test_a_tag_or_an_entity_is_never_drawn_as_words(html):
    text = "<br /> <a href=\"cat\">&amp;&nbsp;</a><!-- cat --><!DOCTYPE html><BR><p class='cat'>"
    vocabulary = Vocabulary(
        ["br", "dog", "a", "href", "cat", "amp", "nbsp", "p", "html"], np.eye(9)
    )
    private = private_versions(text, Swap(epsilon=1), vocabulary, seeded_rng(0), html=html)
    assert "dog" not in private.texts[0]
    assert html == "keep" or "cat" not in private.texts[0]
    kept = [t.kind for t in tokenise(text, vocabulary)]
    assert kept == [Kind.SIGN, Kind.SPACE, *[Kind.SIGN] * 8]


@pytest.mark.parametrize("text", ["<i think so>", "a <b and c> d", "1 < 2 > 0", "R&D; AT&T", "&;"])
def test_what_only_looks_like_html_is_text(text):
    for html in ("decode", "drop"):
        assert retype(text, Vocabulary(["\ue000"], np.eye(1)), html) == [text]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "&amp;" * 50_000,
        '<b a="' * 20_000,
        "<!--" * 50_000,
        "<b" + " a=b" * 50_000,
        "\u200c" * 100_000,
        "a\u200c" * 50_000,
    ],
)
def test_the_time_for_much_html_grows_with_its_length_only(text):
    assert len(retype(text, TWO, "decode")[0]) <= len(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["a" * 100_000, "don't " * 150_000, "a-" * 300_000, "'" * 500_000, "é\u0301" * 50_000]
)
def test_the_time_for_a_long_text_grows_with_its_length_only(text):
    vocabulary = Vocabulary(["do", "n't", "b"], np.eye(3))
    private = private_versions(text, NOTHING_CHANGES, vocabulary, seeded_rng(0), unknown="keep")
    assert len(private.texts[0]) == len(text)

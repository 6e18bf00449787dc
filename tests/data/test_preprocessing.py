"""The benchmark's preprocessing: what goes of a text, and what stays."""

import pytest

from data.preprocessing import all_prepared, prepared, stop_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sorry, gave it a 1. The movies were boring!", "sorry movie boring"),
        ("THE FILMS OF PARIS", "film paris"),  # simplemma gives Paris a capital
        ("She walked out; the children fell asleep", "walk child fall asleep"),
        ("The director's cut isn't what we'd like", "director cut like"),
        ("the director’s cut isn’t long", "director cut long"),
        ("well-worn, half/finished_plots", "wear half finish plot"),
        ("10/10, 80s, 3D, R2D2 and ½", ""),
        ("O'Brien's café", "o'brien café"),
        ("naïve Ωμέγα, filmé", "naïve ωμέγα filmé"),
        ("did does doing having gave given", ""),  # by their lemmas
        ("", ""),
        (" \n\t … !!", ""),
    ],
)
def test_what_stays_of_a_text(text, expected):
    assert prepared(text) == expected


def test_many_texts_are_prepared_as_one_by_one():
    texts = ["The plots were thin.", "", "Plots, plots and the same actors' plots"]
    assert all_prepared(texts) == [prepared(text) for text in texts]
    assert all_prepared([]) == []


def test_no_stop_word_is_left():
    listed = sorted(stop_words())
    assert len(listed) > 300
    assert prepared(" ".join(listed)) == ""

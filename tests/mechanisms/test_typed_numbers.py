import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.typed_numbers import real, typed_real, typed_whole, whole
from pages.shared.number_box import written

LENIENT = [
    "1_0",
    "٥",
    "५",
    " 5",
    "5 ",
    "5\n",
    "+5",
    "nan",
    "inf",
    "-inf",
    "Infinity",
    "1e",
    "",
    ".",
]
LENIENT += ["0x10", "1e5_0", "½", "²", "1,5", "1.2.3", "--1", "1e+", "５", "."]


@pytest.mark.parametrize("text", LENIENT)
def test_a_link_takes_no_number_that_only_python_reads(text):
    with pytest.raises(ValueError, match="must be a number"):
        real(text)
    with pytest.raises(ValueError, match="must be a whole number"):
        whole(text)


@pytest.mark.parametrize("text", ["1.0", "1e3", "9" * 19])
def test_a_whole_number_is_digits(text):
    with pytest.raises(ValueError, match="must be a whole number"):
        whole(text)
    assert [whole("0"), whole("-12"), whole("007")] == [0, -12, 7]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_that_is_written_is_read_again(value):
    assert real(repr(value)) == value
    assert typed_real(written(value)) == value


@given(st.text() | st.text(alphabet="0123456789.,eE+-_ "))
def test_whatever_is_typed_is_read_as_python_does_or_refused(text):
    try:
        value = typed_real(text)
    except ValueError:
        return
    assert value == float(text.strip().replace("−", "-").replace(",", "."))
    assert not math.isnan(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,5", 1.5),
        ("0,125", 0.125),
        ("1,25", 1.25),
        ("−3", -3),
        ("1e-5", 1e-5),
        ("1000,5", 1000.5),
    ],
)
def test_a_comma_may_be_the_point(text, value):
    assert typed_real(text) == value


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("1,000", "can be read in two ways: write 1.000 or 1000"),
        ("12,500", "write 12.500 or 12500"),
        ("1,000,000", "write 1000000"),
        ("1,234.5", "must be a number"),
        ("1.234,5", "must be a number"),
        ("1,2,3", "must be a number"),
    ],
)
def test_a_comma_that_may_part_thousands_is_asked_about(text, rule):
    with pytest.raises(ValueError, match=rule):
        typed_real(text)


def test_a_whole_number_may_have_spaces_around_it():
    assert typed_whole(" 12 ") == 12

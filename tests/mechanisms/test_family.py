import pickle

import pytest

from mechanisms import (
    CMP,
    MECHANISMS,
    TEM,
    Gaussian,
    SanText,
    TruncatedGumbel,
    Vickrey,
    families_of,
    family_of,
)
from mechanisms.base import LawMechanism, RadialNoise, has_law, is_radial
from tests.toy import TOY

EACH = pytest.mark.parametrize("cls", MECHANISMS, ids=lambda cls: cls.name)


@EACH
def test_a_family_is_the_same_whatever_epsilon_it_is_taken_from(cls):
    family = cls.family()
    assert family == cls(epsilon=1.0).family() == cls(epsilon=7.0).family()
    assert len({family, cls(epsilon=1.0).family(), cls(epsilon=7.0).family()}) == 1
    assert family.at(7.0) == cls(epsilon=7.0)
    assert family.name == cls.name


@EACH
def test_a_family_says_how_it_is_made_and_comes_back_from_a_process(cls):
    family = cls.family()
    names = {each.__name__: each for each in MECHANISMS}
    assert eval(repr(family), names) == family
    assert "epsilon" not in repr(family)
    assert pickle.loads(pickle.dumps(family)) == family


def test_families_differ_by_class_and_by_every_parameter():
    families = [CMP.family(), SanText.family(), TEM.family(), TEM.family(gamma=3)]
    families += [TEM.family(gamma=3, beta=0.1), Vickrey.family(), Vickrey.family(t=0.1)]
    assert len(set(families)) == len({repr(each) for each in families}) == len(families)


def test_of_a_mechanism_what_is_not_given_is_its_own():
    mine = TEM(epsilon=4, gamma=3.0, beta=0.1)
    assert mine.family() == TEM.family(gamma=3.0, beta=0.1)
    assert mine.family(gamma=None) == TEM.family(beta=0.1)


def test_a_mechanism_without_its_epsilon_answers_all_that_does_not_depend_on_it_and_no_more():
    for cls in MECHANISMS:
        bare, at = cls.family().without_epsilon, cls(epsilon=90.0)
        assert isinstance(bare, cls)
        assert (bare.covers(TOY, [0, 1]) == at.covers(TOY, [0, 1])).all()
        if cls is not TruncatedGumbel:  # two words of TOY share a vector
            assert cls.family().smallest_epsilon(TOY) == at.smallest_epsilon(TOY)
        with pytest.raises(AttributeError, match="epsilon"):
            bare.guarantee(TOY).log_ratio_bound(TOY, [0], [1])
    assert [has_law(c.family()) for c in MECHANISMS] == [
        issubclass(c, LawMechanism) for c in MECHANISMS
    ]
    assert [is_radial(c.family()) for c in MECHANISMS] == [
        issubclass(c, RadialNoise) for c in MECHANISMS
    ]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: TEM.family(gamma=-1), ValueError, r"TEM: γ \(gamma\) must be above 0; got -1"),
        (lambda: TEM.family(gamma="2"), TypeError, r"TEM: γ \(gamma\) must be a number; got '2'"),
        (lambda: Gaussian.family(variant="odd"), ValueError, "must be one of published, repaired"),
        (lambda: TEM.family(delta=1), TypeError, "TEM.family: takes gamma, beta; got 'delta'"),
        (lambda: CMP.family(epsilon=1), TypeError, "CMP.family: takes no parameter; got 'epsilon'"),
        (lambda: CMP.family().at(0), ValueError, r"CMP: ε \(epsilon\) must be above 0; got 0"),
        (lambda: family_of(TOY), TypeError, "give a mechanism, its class or its name"),
        (lambda: family_of("gumball"), ValueError, "must be one of cmp, .*; got 'gumball'"),
    ],
)
def test_what_is_no_family_is_refused_with_a_sentence(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_a_family_is_named_by_itself_a_mechanism_a_class_or_a_name():
    for named in (TEM.family(), TEM(epsilon=3), TEM, "tem", "TEM"):
        assert family_of(named) == TEM.family()
        assert families_of(named) == [TEM.family()]
    assert families_of([TEM, "cmp"]) == [TEM.family(), CMP.family()]

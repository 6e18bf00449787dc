"""The audits of the page, once for all sessions."""

from __future__ import annotations

from data.embeddings import VocabularyChoice
from measures.audits import audit as audits
from mechanisms import Mechanism
from pages.shared import cached


@cached.data(max_entries=100)
def audit(cls: type[Mechanism], variant: str | None, choice: VocabularyChoice) -> audits.Audit:
    """A mechanism held against its guarantee, at an ε in the middle of its range."""
    family = cls.family() if variant is None else cls.family(variant=variant)
    middle = cached.epsilon_range(family, choice).middle
    return audit_at(family.at(float(f"{middle:.2g}")), choice)


@cached.data(max_entries=100)
def audit_at(mechanism: Mechanism, choice: VocabularyChoice) -> audits.Audit:
    """A mechanism held against its guarantee, at its own ε."""
    return audits.audit(mechanism, cached.vocabulary(choice))

"""A mechanism that refuses its ε while a choice measures it."""

from release.evidence import Stage


def cmp_refuses(monkeypatch):
    """Let CMP refuse; all other mechanisms are measured."""
    settings = Stage.settings

    def refusing(self, candidate):
        if candidate.name == "CMP":
            raise ValueError("CMP: ε (epsilon) must be above 0 and at most 5; got 7.")
        return settings(self, candidate)

    monkeypatch.setattr(Stage, "settings", refusing)

"""A row of the table of a choice, as plain values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from release.choice import Choice
    from release.evidence import Setting


def choice_row(choice: Choice, setting: Setting) -> dict[str, Any]:
    """One setting, and how it meets the demands; no word of the file is in it."""
    key = choice.worst_key(setting)
    accuracy = setting.accuracy
    return {
        "mechanism": setting.name,
        "epsilon": setting.mechanism.epsilon,
        "recommended": setting is choice.recommended,
        "meets_all": key is None,
        "ruled_out_by": key or "",
        "worst_unchanged": float(setting.unchanged.value),
        "worst_unchanged_from": float(setting.unchanged.low),
        "worst_unchanged_to": float(setting.unchanged.high),
        "worst_unchanged_exact": setting.unchanged.source.is_exact,
        "words_unchanged": setting.typical,
        "named": float(setting.named.value),
        "named_from": float(setting.named.low),
        "named_to": float(setting.named.high),
        "named_is_lower_bound": not setting.named_exact,
        "log_odds": None if math.isinf(setting.log_odds) else setting.log_odds,
        "accuracy_kept": None if accuracy is None else float(accuracy.share.value),
        "accuracy_kept_from": None if accuracy is None else float(accuracy.share.low),
        "accuracy_kept_to": None if accuracy is None else float(accuracy.share.high),
        "similarity": float(setting.similarity.value),
        "similarity_from": float(setting.similarity.low),
        "similarity_to": float(setting.similarity.high),
    }

"""Settings of the page Guarantees: the rows of its audit."""

from __future__ import annotations

from measures.audits import audit
from pages.shared.settings import Setting, choice, variant_slug

# The rows of the page: a mechanism in one of its variants.
AUDITED = audit.variants()

# The setting of the other pages; not None, which a box shows as nothing chosen.
YOURS = "yours"

AUDIT_SIZES = (3_000, 10_000, 30_000)

AUDIT_SUBJECTS = {"ours": "Our mechanisms", "any": "Any mechanism"}

AUDITED_SLUGS = {row: variant_slug(*row) for row in AUDITED}

SETTINGS: dict[str, Setting] = {
    "audited": choice(YOURS, {YOURS: YOURS} | {s: row for row, s in AUDITED_SLUGS.items()}),
    "audit-of": choice("ours", {subject: subject for subject in AUDIT_SUBJECTS}),
    "audit-words": choice(10_000, {str(size): size for size in AUDIT_SIZES}),
}

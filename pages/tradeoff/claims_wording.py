"""The words of the trade-off page about two claims of papers, and one on base measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from measures.papers import base_measure_claim, tem_claim
from measures.papers.gumbel_claim import OWN, PRINTED, RECOMPUTED, Standing
from pages.shared.prose import plain
from release.grammar import counted, enumerated, verb

GUMBEL_CLAIM = (
    "**The benchmark says**: with α = 0.75, (truncated) Gumbel is an attractive choice; with an α "
    "that favours privacy, it falls well below the top."
)

TEM_CLAIM = (
    "**The TEM paper says**: at ε = 2 on IMDb, a classifier trained on TEM's private text "
    "classifies 75 % of the original test texts correctly. A classifier trained on private text "
    "from CMP (Madlib) classifies 52 % correctly."
)

HOW_TO_READ_STANDINGS = (
    "*At equal N_w*: each mechanism is read off its curve at the point at which its words stay as "
    "often as under Gumbel. A mechanism whose curve never reaches that point is not ranked. In the "
    "paper's table a curve has only three ε, so this reading is rough. In our sweep, Gumbel is the "
    "variant of the benchmark's code, which keeps no promise."
)


# What the claim says of Gumbel: it leads at one α, and falls at the other.
_BOTH_PARTS = ("leads", "falls")


def gumbel_finding(found: Sequence[Standing]) -> str:
    """The answer about Gumbel, first of all."""
    lines = []
    for source in (RECOMPUTED, PRINTED, OWN):
        here = [standing for standing in found if standing.source == source]
        if not here:
            continue
        lead, fall = (sum(getattr(one, how) for one in here) for how in _BOTH_PARTS)
        lines.append(
            f"- **{source}**: in {lead} of {counted(len(here), 'comparison')}, Gumbel is first at "
            f"α = 0.75. In {fall}, it is in the worse half at α = 0.25."
        )
    holds = [one for one in found if one.source == RECOMPUTED]
    most = all(sum(getattr(one, how) for one in holds) > len(holds) / 2 for how in _BOTH_PARTS)
    head = (
        "**On the paper's own numbers, recomputed, the claim holds in most comparisons. The "
        "paper's printed table contradicts it on AG News, because there the scores are printed "
        "beside the wrong mechanisms.**"
        if most
        else "**The claim does not hold on the paper's own numbers, recomputed.**"
    )
    own = [one for one in found if one.source == OWN]
    if own and not any(one.leads for one in own):
        head = f"{head} **In our sweep Gumbel never leads.**"
    return "\n".join([head, "", *lines])


GUMBEL_COMMAND = "`python -m measures.papers.gumbel_claim` prints this table."

TEM_COMMAND = (
    "`python -m measures.papers.tem_claim` computes the answer, and lists how this experiment "
    "differs from the paper's."
)

HOW_TO_READ_TEM = (
    "Accuracy on original reviews, in percent, with Student's 95 % intervals over repetitions. "
    "*TEM ahead by* is the difference within each repetition, on the same reviews."
)


def tem_finding(found: Sequence[tem_claim.Finding]) -> str:
    """The answer about TEM and CMP, first of all."""
    if not found:
        return NOT_COMPUTED
    lines = []
    for how, named in (("ε", "At ε = 2"), ("N_w", "At equal N_w")):
        here = [one for one in found if one.made_equal.split(" ")[0] == how]
        if not here:
            continue
        wins = {name: sum(one.winner == name for one in here) for name in ("TEM", "CMP")}
        open_ = len(here) - sum(wins.values())
        best = max(wins, key=lambda name: wins[name])
        if not wins[best]:
            head = "no comparison shows which is better."
        elif wins[best] == len(here):
            head = f"{best} wins every comparison."
        else:
            parts = [f"{name} wins {count}" for name, count in wins.items() if count]
            parts += [f"{open_} {verb(open_, 'is', 'are')} not clear"] if open_ else []
            head = f"{enumerated(parts)}, of {counted(len(here), 'comparison')}."
        lines.append(f"- **{named}: {head}**")
    return "\n".join(lines)


NOT_COMPUTED = "**This has not been computed here yet.**"


BASE_MEASURE_CLAIM = (
    "**The claim**: a public base measure (Unigram TEM, N-gram TEM) makes better text at the same "
    "privacy. *The same privacy* has several meanings here: the same ε; the same share of "
    "unchanged words, over tokens or over distinct words; and the same success of a Bayes "
    "adversary, without context or with the released neighbours. q was counted on other texts than "
    "these. `python -m measures.papers.base_measure_claim` computes the answer."
)

HOW_TO_READ_BASE_MEASURE = (
    "In percent, with 95 % intervals over texts or words, from one repetition. Each accuracy cell "
    "has logistic regression first, then fastText. Both adversaries see the words released before, "
    "and their success is a lower bound. Perplexity comes from a trigram model of other texts. "
    "That model is related to q, so nothing is ranked by perplexity. *Not clear* means that the "
    "intervals overlap. *Not equal* means that a quantity meant to be equal differed "
    f"by more than {base_measure_claim.TOLERANCE:g} points."
)


def base_measure_finding(found: Sequence[base_measure_claim.Comparison]) -> str:
    """The answer about base measures, one line for each equality."""
    if not found:
        return NOT_COMPUTED
    lines = []
    for made_equal in dict.fromkeys(one.made_equal for one in found):
        for mechanism in dict.fromkeys(one.mechanism for one in found):
            here = [o for o in found if (o.made_equal, o.mechanism) == (made_equal, mechanism)]
            if not here:
                continue
            parts = [
                f"{_VERDICTS.get(verdict, verdict)} in {len(found_so)}{_named(verdict, found_so)}"
                for verdict in ("ahead", "behind", "cannot be told", "not equal")
                if (found_so := [one for one in here if one.verdict == verdict])
            ]
            lines.append(
                f"- **Equal {made_equal}, {mechanism} against TEM**: {enumerated(parts)}, of "
                f"{counted(len(here), 'comparison')}."
            )
    return "\n".join(lines)


_VERDICTS = {"cannot be told": "not clear"}


def _named(verdict: str, found: Sequence[base_measure_claim.Comparison]) -> str:
    """Which comparisons are ahead or behind, in brackets; nothing for other verdicts."""
    if verdict not in ("ahead", "behind"):
        return ""
    named = dict.fromkeys(f"{base_measure_claim.RANKED[o.measure]}, {o.judged}" for o in found)
    return f" ({'; '.join(named)})"


def base_measure_why(rows: Sequence[base_measure_claim.Row]) -> str:
    """Where the gain comes from, and what is lost: from the rows with the same unchanged tokens."""
    parts = []
    for judged in dict.fromkeys(row.judged for row in rows):
        here = [row for row in rows if row.judged == judged and _same_tokens(row)]
        if len(here) > 1:
            rare = enumerated([f"{row.kept_of_rare:.0f} % under {row.mechanism}" for row in here])
            reads = enumerated([f"{row.perplexity:,.0f} under {row.mechanism}" for row in here])
            parts.append(
                f"On {judged}, the share of rare words that stay unchanged is {rare}; perplexity "
                f"is {reads}."
            )
    if not parts:
        return ""
    return (
        "**Why**: q favours frequent words. So the private text reads more like natural text, but "
        f"rare words (from rank {base_measure_claim.RARE:,} on), which often carry its subject, "
        f"change more often at the same N_w over tokens. {' '.join(parts)}"
    )


def _same_tokens(row: base_measure_claim.Row) -> bool:
    return row.mechanism == "TEM" or row.made_equal == "N_w over tokens"


def base_measure_provenance(facts: Mapping[str, str]) -> str:
    """How the table was made."""
    return plain(" ".join(f"{name}: {value}." for name, value in facts.items()))

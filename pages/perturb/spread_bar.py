"""The bar of a word: where its probability goes, from the word itself to anywhere.

One bar of parts, and below it what each part is and its share in words: a screen reader reads the
list, and nothing depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from pages.shared.prose import escaped

# From the word itself to far away; the first is dotted, as the typed word is in other figures.
_COLOURS = ("#9aa5b1", "#fec44f", "#ec7014", "#8c3a06")

STYLE = (
    """<style>
.wv-spread { display: flex; height: 1.9rem; gap: 1px; border-radius: .3rem; overflow: hidden;
  border: 1px solid light-dark(#5b6773, #9aa5b1); }
.wv-spread > span { min-width: 2px; }
.wv-parts { list-style: none; margin: .4rem 0; padding: 0; font-size: .95rem; line-height: 1.6; }
.wv-source { font-size: .9rem; margin: 0 0 .6rem 0; }
.wv-parts > li::before { content: ""; display: inline-block; width: .8em; height: .8em;
  margin-right: .5em; border-radius: 2px; border: 1px solid light-dark(#5b6773, #9aa5b1); }
"""
    + "".join(
        f".wv-spread > .wv-part-{place}, .wv-parts > .wv-part-{place}::before "
        f"{{ background: {colour}; }}\n"
        for place, colour in enumerate(_COLOURS)
    )
    + """.wv-spread > .wv-part-0 { background-image: radial-gradient(#3c4650 20%, transparent 22%);
  background-size: 7px 7px; }
</style>"""
)


def markup(parts: Sequence[tuple[str, float, str]], source: str) -> str:
    """The bar of these parts (name, share, share in words), and where the shares come from.

    With three parts there is no γ: the word itself, its nearest words, all others.
    """
    places = (0, 1, 2, 3) if len(parts) == 4 else (0, 1, 3)
    bar = "".join(
        f'<span class="wv-part-{place}" style="flex: {share:.6f}" title="{escaped(name)}"></span>'
        for place, (name, share, _) in zip(places, parts, strict=False)
        if share > 0
    )
    items = "".join(
        f'<li class="wv-part-{place}"><strong>{escaped(said)}</strong> {escaped(name)}</li>'
        for place, (name, _, said) in zip(places, parts, strict=False)
    )
    return (
        f'<div class="wv-spread" aria-hidden="true">{bar}</div>'
        f'<ul class="wv-parts">{items}</ul><p class="wv-source">{escaped(source)}</p>'
    )

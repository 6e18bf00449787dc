"""What a mechanism makes of single words: deniability, its curves, density, odds, Theorem 4.2."""

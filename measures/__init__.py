"""What is learnt about a mechanism: deniability, targets, density, utility, attacks, audits."""

"""Mechanisms side by side over corpora: experiments, their rows, scores and rankings."""

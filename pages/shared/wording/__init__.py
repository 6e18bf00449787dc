"""What the pages say, a module a page: findings, how to read a figure, what a setting means.

Words that come from a visitor or an embedding pass through `prose`, which makes them safe.
"""

"""Boxes for numbers in tests of pages: text boxes, as `pages.shared.number_box` draws them."""


class NumberBox:
    """A box for a number by the key of its value."""

    def __init__(self, app, key):
        self.box, self.app, self.key = app.text_input(key=f"{key}.typed"), app, key

    @property
    def value(self):
        """The number that counts; None for an empty box."""
        return self.app.session_state[self.key]

    @property
    def disabled(self):
        return self.box.disabled

    @property
    def placeholder(self):
        return self.box.placeholder

    def set_value(self, value):
        """Type a number, or anything else."""
        return self.box.set_value("" if value is None else str(value))


def number_box(app, key):
    return NumberBox(app, key)


def number_keys(app):
    """The keys of all boxes for numbers on a page."""
    return {box.key.removesuffix(".typed") for box in app.text_input if box.key.endswith(".typed")}

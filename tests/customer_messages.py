"""300 short customer messages, invented from templates, with 41 invented names.

A row has an id, a date, the text, which tells its label, and the label; every 25th text holds a
telephone number and an e-mail address.
"""

import csv
import io

import numpy as np

_FIRST = (
    *("Anna", "Boris", "Carla", "Derek", "Elena", "Farid", "Greta", "Hugo", "Ines", "Jonas"),
    *("Katya", "Liam", "Mina", "Nadia", "Oscar", "Priya", "Quentin", "Rosa", "Stefan", "Tara"),
    *("Umar", "Vera", "Walter", "Xenia", "Yusuf", "Zoe", "Alan", "Bella", "Chen", "Diana"),
    *("Emil", "Fiona", "Gideon", "Helga", "Ivan", "Julia", "Karim", "Lena", "Marco", "Nora"),
    "Pablo",
)
_LAST = (
    *("Lindqvist", "Keller", "Moreno", "Osei", "Petrov", "Haddad", "Lund", "Almeida", "Castro"),
    *("Weber", "Orlov", "Doyle", "Sato", "Rahman", "Blom", "Nair", "Faure", "Delgado", "Vogel"),
    *("Quinn", "Siddiqui", "Novak", "Brandt", "Markov", "Demir", "Hartmann", "Whitfield"),
    *("Romano", "Zhao", "Prescott", "Sorensen", "Gallagher", "Katz", "Jansen", "Dimitrov"),
    *("Kowalski", "Benali", "Fischer", "Rossi", "Eklund", "Herrera"),
)
NAMES = tuple(f"{first} {last}" for first, last in zip(_FIRST, _LAST, strict=True))

NAME_LIKE = frozenset(part.lower() for name in NAMES for part in name.split())
"""Every part of a name, in lower case."""

_OPENINGS = {
    "delivery": (
        "my parcel has not arrived yet",
        "the courier left the package with a neighbour",
        "the delivery was late again and the box was damaged",
        "the order was shipped to the wrong address",
        "tracking says the parcel is still at the depot",
        "nobody was home when the driver came on {day}",
    ),
    "billing": (
        "i was charged twice for the same invoice",
        "please refund the amount to my credit card",
        "the bill for {month} shows a fee that i do not know",
        "my bank says the payment was declined",
        "the discount is missing from the total price",
        "i need a corrected invoice for the tax office",
    ),
    "account": (
        "i cannot log in since the password was reset",
        "please change the email address of my account",
        "the app asks for a code that never comes",
        "i want to close my account and delete my data",
        "my user name is locked after three attempts",
        "the website shows an error when i sign in",
    ),
}

_CLOSINGS = (
    "please call {name} back before {day}",
    "the contract is in the name of {name}",
    "{name} from your office promised to help",
    "i am at the hospital until {day} so write to {name}",
    "thank you in advance",
    "this is the second time i ask",
    "i hope for a quick answer",
    "otherwise i will cancel the order",
    "my wife is pregnant and we need it soon",
    "the surgery is on {day} and i have no time for this",
)

_DAYS = ("monday", "tuesday", "thursday", "friday", "saturday")
_MONTHS = ("january", "march", "june", "october", "december")


def messages(count=300, seed=20):
    """The rows [id, date, text, label], the same at every call; 120 of 300 hold a name."""
    rng = np.random.default_rng(seed)
    labels, named = list(_OPENINGS), 0
    for number in range(count):
        label = labels[number % len(labels)]
        opening = _OPENINGS[label][rng.integers(len(_OPENINGS[label]))]
        closing = _CLOSINGS[number % len(_CLOSINGS)]
        named += "{name}" in closing
        text = f"{opening}, {closing}.".format(
            name=NAMES[named % len(NAMES)],
            day=_DAYS[rng.integers(len(_DAYS))],
            month=_MONTHS[rng.integers(len(_MONTHS))],
        )
        if number % 25 == 24:
            text += f" Call me on +44 20 7946 0{number:03} or mail c{number}@mail.example."
        day = f"2024-0{1 + number % 9}-{1 + number % 28:02}"
        yield [f"C-{number:04}", day, text[0].upper() + text[1:], label]


def texts(count=300):
    """The texts alone."""
    return [text for _, _, text, _ in messages(count)]


def labels(count=300):
    """The label of each text."""
    return [label for *_, label in messages(count)]


def table(count=300):
    """The messages as a CSV file."""
    written = io.StringIO(newline="")
    out = csv.writer(written)
    out.writerow(("id", "date", "text", "label"))
    out.writerows(messages(count))
    return written.getvalue().encode()

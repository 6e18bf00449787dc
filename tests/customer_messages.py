"""300 invented messages of customers, with 41 invented names: id, date, text, label."""

import csv
import io

import numpy as np

FIRST = [
    "Oliver",
    "Priya",
    "Siobhan",
    "Mateusz",
    "Aisha",
    "Chloe",
    "Hamish",
    "Ingrid",
    "Tomasz",
    "Zoe",
    "Rafael",
    "Yuki",
    "Dmitri",
    "Leila",
    "Gwen",
    "Kwame",
    "Beatrix",
    "Soren",
    "Anneliese",
    "Tariq",
    "Harriet",
]
LAST = [
    "Kowalski",
    "Patel",
    "Murphy",
    "Okafor",
    "Lindqvist",
    "Brown",
    "Haddad",
    "Fernandez",
    "Novak",
    "Tanaka",
    "Ivanov",
    "Campbell",
    "Jensen",
    "Weber",
    "Nakamura",
    "Adeyemi",
    "Rossi",
    "Dubois",
    "Walker",
    "Ahmed",
]
NAMES = (*FIRST, *LAST)

_PLAIN = (
    "The parcel arrived two days late and the box was damaged.",
    "I want a refund for my last order, please.",
    "Great service, thank you very much for the quick answer.",
    "The app crashes whenever I open the payment page.",
    "My invoice is wrong, you charged me twice this month.",
    "Nobody answers the phone in the evening.",
    "The delivery driver was friendly and helpful.",
    "Where is my order? It was promised for Monday.",
)
_WITH_NAME = (
    "I spoke to {first} {last} about my refund and nothing happened.",
    "{first} promised that the parcel would be here on Friday.",
    "Please send the invoice to {first}, my wife, at the hospital.",
    "My name is {first} {last} and my order never came.",
    "Thanks to {last} in your team for the help!",
)


def messages(count=300):
    """The rows, the same at every call."""
    rng = np.random.default_rng(19)
    named = 0
    for number in range(1, count + 1):
        if number % 8 < 3:
            named += 1
            text = _WITH_NAME[int(rng.integers(len(_WITH_NAME)))].format(
                first=FIRST[named % len(FIRST)], last=LAST[named % len(LAST)]
            )
        else:
            text = _PLAIN[int(rng.integers(len(_PLAIN)))]
        if number % 25 == 0:
            text += f" Call me on +44 20 7946 0{number:03} or mail c{number}@mail.example."
        day = f"2024-0{1 + number % 9}-{1 + number % 28:02}"
        yield [f"C-{number:04}", day, text, ("complaint", "praise", "question")[number % 3]]


def table(count=300):
    """The messages as a CSV file."""
    written = io.StringIO(newline="")
    out = csv.writer(written)
    out.writerow(("id", "date", "text", "label"))
    out.writerows(messages(count))
    return written.getvalue().encode()

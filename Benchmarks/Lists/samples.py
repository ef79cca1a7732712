"""Multiplies the logs and search terms of sample payments.

The program makes a store of sample payments and indexes it. Each session of a store that is filled
takes the log and the terms of one of them. In both, its own identity replaces the sample's, and its
own numbers replace those by which only this sample is found: the reference, the PSP's trace, payee
references.
"""

import hashlib
import re
import sqlite3
import subprocess
import tempfile

# How many samples are made, and when the last of them ends.
COUNT = 200
UNTIL = "2025-01-01T00:00:00Z"

# One session in so many has the whole log of its sample.
WHOLE = 500

# The shortest text in which numbers are replaced.
SHORTEST = 6


class Sample:
    """A sample payment as formats: of its records, with their types and times, and of its terms."""

    def __init__(self, records, terms):
        self.records, self.terms = records, terms


class Samples:
    """Makes the logs and terms of numbered sessions.

    All but one in WHOLE have only the first record of their sample, or the first few.
    """

    def __init__(self, program, short):
        self.short = short
        with tempfile.TemporaryDirectory() as place:
            store = f"sqlite:{place}/samples.db"
            made = ["demo", "--sessions", str(COUNT), "--until", UNTIL]
            for command in (made, ["store", "index"]):
                subprocess.run([program, "--store", store, *command], check=True,
                               stdout=subprocess.DEVNULL)
            self.all = read(sqlite3.connect(f"{place}/samples.db"))

    def of(self, number):
        return self.all[(number + number // WHOLE) % len(self.all)]

    def records(self, sessions):
        """The records of (number, identity): number, seq, type, time, bytes, previous hash, hash"""
        for number, identity in sessions:
            values = numbers(number, identity)
            records = self.of(number).records
            if number % WHOLE:
                records = records[:self.short]
            previous = bytes(32)
            for place, (kind, at, form) in enumerate(records):
                record = (form % values).encode()
                link = hashlib.sha256(previous + record).digest()
                yield number, place + 1, kind, at, record, previous, link
                previous = link

    def terms(self, sessions):
        """The terms of (number, identity): term, number"""
        for number, identity in sessions:
            values = numbers(number, identity)
            for form in self.of(number).terms:
                yield form % values, number


def numbers(number, identity):
    """What the formats of a sample contain."""
    short, long = str(number), str(100_000_000_000 + number)
    return {"id": identity, "n": short, "long": long, "n reversed": short[::-1],
            "long reversed": long[::-1]}


def read(store):
    """The samples in a store, apart from those that count with another session."""
    rows = store.execute("SELECT key, id, reference FROM listed_sessions WHERE counts_with IS NULL"
                         " AND reference IS NOT NULL ORDER BY key").fetchall()
    indexed = {key: set() for key, _, _ in rows}
    for term, key in store.execute("SELECT term, session FROM search_terms ORDER BY 1, 2"):
        if key in indexed:
            indexed[key].add(term)
    holders = {}
    for terms in indexed.values():
        for term in terms:
            holders[term] = holders.get(term, 0) + 1
    samples = []
    for key, identity, reference in rows:
        texts = {}
        for term in indexed[key]:
            text = term[:0:-1]
            if term[0] == "r" and holders[term] == 1 and len(text) >= SHORTEST:
                texts |= varied(text, reference.lower())
        records = store.execute("SELECT type, at, CAST(record AS TEXT) FROM events"
                                " WHERE session = ? ORDER BY seq", (key,)).fetchall()
        samples.append(Sample(
            [(kind, at, record_form(text, identity, texts)) for kind, at, text in records],
            sorted({term_form(term, texts) for term in indexed[key]})))
    return samples


class Varied:
    """A text that every session has with a number of its own."""

    def __init__(self, length, start, name):
        # How much of the sample's text stays, what replaces that, and the name of the number.
        self.length, self.start, self.name = length, start, name

    def form(self, text, first=0):
        """The format of the text from one of its characters on."""
        start = text[first:self.length] if first or self.start is None else self.start
        return f"{start.replace('%', '%%')}%({self.name})s"


def varied(text, reference):
    """How a text varies; none that ends otherwise than with a number."""
    digits = re.search("[0-9]+$", text)
    if text == reference:
        return {text: Varied(digits.start() if digits else len(text), "order-", "n")}
    if re.search("[0-9a-f]{12}$", text):
        return {text: Varied(len(text) - 12, None, "long")}
    return {text: Varied(digits.start(), None, "n")} if digits else {}


def record_form(record, identity, texts):
    """The format of a record, in which identity and texts are replaced as whole words."""
    known = {identity: Varied(0, None, "id")} | texts
    words = "|".join(re.escape(text) for text in sorted(known, key=len, reverse=True))
    parts = re.split(rf"(?<![0-9a-z])({words})(?![0-9a-z])", record, flags=re.IGNORECASE)
    return "".join(known[part.lower()].form(part) if place % 2 else part.replace("%", "%%")
                   for place, part in enumerate(parts))


def term_form(term, texts):
    """The format of a term: of a text from one of its words on, or of a text reversed."""
    kind, body = term[:1], term[1:]
    if kind == "b":
        return f"b{body[:-12]}%(long)s"
    for text, change in texts.items():
        first = len(text) - len(body)
        # A word that begins inside the number stays as it is.
        if kind == "t" and text.endswith(body) and first <= change.length:
            return f"t{change.form(text, first)}"
        if kind == "r" and body[::-1] == text:
            start = text[:change.length] if change.start is None else change.start
            return f"r%({change.name} reversed)s{start[::-1].replace('%', '%%')}"
    return term.replace("%", "%%")

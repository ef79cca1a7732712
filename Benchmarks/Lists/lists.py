"""Fills a store with the rows and search terms of many sessions, and measures lists and searches.

    lists.py fill    STORE SESSIONS
    lists.py fill    STORE SESSIONS PROGRAM --logs [--records N]
    lists.py measure STORE PROGRAM     [--runs N] [--json FILE]
    lists.py queries STORE             [--runs N]

STORE is sqlite:PATH or postgres://…, made by 'workflowctl demo --store STORE'. Nothing else may
use it while it is filled.

The rows are what payments of a year leave behind: nearly all of them paid, and of each rare kind a
few. Triggers of the store add them to its sums. Without --logs, the only search terms are those
of references, and there are no records, so no command that reads a log can be measured.

With --logs, PROGRAM makes 200 sample payments in a store of its own and indexes them, and each
session also gets:

- the search terms of one of the samples, all that PROGRAM made for it, 16 on average
- the first record of its log, or as many as --records says; every 500th session gets all of them

That takes about 2 kB a session in SQLite and 4 kB in PostgreSQL, and 1.2 kB more with two records.

In records and terms, the session's own identity and reference replace those of the sample. So does
a number of its own in the texts by which only this sample is found, such as the trace and payee
references; the terms of sealed values, which are digests, end with such a number, too. Everything
else is that of the sample: what happened, amounts, times, notes. So a log does not say what its
row says, terms are also there for texts in records that are left out, and 'verify' and 'doctor'
find differences. The hashes of each log are right. What is missing: seals (as after redaction),
keys (as after an erasure), MACs. The search index counts as up to date, so 'find' reads only what
it would read in a store with such payments; without a match, it also reads 2,000 logs of sessions
with notes.

'measure' runs each query in a process of its own, in turns with 'workflowctl list' of a store with
a single page, whose time is the baseline: starting, opening, printing. In a store with logs, it
also runs 'find', 'show' and 'explain'. 'queries' runs the statements themselves. On a SQLite store,
it also measures the processor time, which a busy machine does not lengthen; on PostgreSQL, psql
measures the time until it has the result.
"""

import argparse
import json
import math
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

from filling import START, YEAR, asked, fill
from samples import WHOLE
from statements import statements


class Store:
    """A filled store, and the session in the middle of the year whose whole log may be there."""

    def __init__(self, location):
        self.is_sqlite = location.startswith("sqlite:")
        self.place = location.removeprefix("sqlite:")
        self.sessions = int(self.value("SELECT count(*) FROM sessions"))
        self.number = self.sessions // 2 // WHOLE * WHOLE
        named = f"FROM sessions WHERE reference = 'order-{self.number}' ORDER BY id DESC LIMIT 1"
        self.identity = self.value(f"SELECT id {named}")
        key = f"(SELECT {'key' if self.is_sqlite else 'id'} {named})"
        count = self.value(f"SELECT count(*) FROM events WHERE session = {key}")
        self.has_logs = int(count) > 0

    def value(self, sql):
        if self.is_sqlite:
            row = self.opened().execute(sql).fetchone()
            return row[0] if row else None
        return asked(self.place, sql).strip() or None

    def opened(self):
        return sqlite3.connect(f"file:{self.place}?mode=ro", uri=True)


def questions(store):
    middle, step = store.number, YEAR // store.sessions

    def at(number):
        seconds = (START + number * step) / 1_000_000 + 1
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))

    hour = ["--since", at(middle), "--until", at(middle + store.sessions // 8760)]
    page = ["list", "--limit", "50"]
    card = ["--outcome", "failed", "--instrument", "card"]
    made = {
        "newest page": page,
        "open, by phase": [*page, "--phase", "awaitingPSP"],
        "stuck": [*page, "--stuck"],
        "outcome failed": [*page, "--outcome", "failed"],
        "a problem": [*page, "--problem", "requestFailed"],
        "money under way": [*page, "--money", "underWay"],
        "money confirmed": [*page, "--money", "confirmed"],
        "turn support": [*page, "--turn", "support"],
        "a rare host": [*page, "--host", "api.other.example"],
        "a rare instrument": [*page, "--instrument", "click-to-pay"],
        "an hour": [*page, *hour],
        "a page in the middle": [*page, "--until", at(middle)],
        "failed, with a card": [*page, *card],
        "a reference": ["list", "--reference", f"order-{middle}"],
        "a reference's beginning": [*page, "--reference", f"order-{str(middle)[:-1]}*"],
        "at-risk": ["at-risk"],
        "statistics' counts": ["stats", "--counts"],
        "at-risk of an hour": ["at-risk", *hour],
    }
    return made | (questions_of_logs(store) if store.has_logs else {})


def questions_of_logs(store):
    ending = store.identity[-12:]
    return {
        "find, a reference": ["find", f"order-{store.number}"],
        "find, a prefix": ["find", f"order-{str(store.number)[:-1]}"],
        "find, a suffix": ["find", f"er-{store.number}"],
        "find, no match": ["find", f"nothing-{store.number}"],
        "find, an id's end": ["find", ending],
        "show": ["show", store.identity],
        "show, by the id's end": ["show", ending],
        "explain": ["explain", store.identity],
    }


def measure(arguments):
    place = tempfile.mkdtemp()
    small = f"sqlite:{place}/small.db"
    subprocess.run([arguments.program, "demo", "--store", small], check=True, capture_output=True)
    store = Store(arguments.store)
    tell(store, arguments, "milliseconds of a whole process")
    print(f"{'question':26} {'p50':>8} {'p95':>8} {'baseline p50':>13} {'above it':>9}")
    rows = []
    for name, question in questions(store).items():
        # Nothing is found: 1.
        status = 1 if name == "find, no match" else 0
        times, base = [], []
        for _ in range(arguments.runs):
            base.append(run([arguments.program, "--store", small, "list", "--json"]))
            command = [arguments.program, "--store", arguments.store, *question, "--json"]
            times.append(run(command, status))
        row = {"question": name, "p50": middle(times, 0.5), "p95": middle(times, 0.95),
               "baseline": middle(base, 0.5)}
        rows.append(row)
        print(f"{name:26} {row['p50']:8.0f} {row['p95']:8.0f} {row['baseline']:13.0f}"
              f" {row['p50'] - row['baseline']:9.0f}", flush=True)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"sessions": store.sessions, "rows": rows}, file, indent=2)


def queries(arguments):
    store = Store(arguments.store)
    wanted = statements(store.number, store.identity, store.has_logs, store.is_sqlite)
    tell(store, arguments, "milliseconds")
    work = f" {'processor p50':>14} {'p95':>8}" if store.is_sqlite else ""
    print(f"{'statement':24} {'rows':>6} {'p50':>8} {'p95':>8}{work}")
    timed = timed_sqlite(store) if store.is_sqlite else timed_postgresql(store)
    for name, sql in wanted.items():
        rows, times, work = timed(sql, arguments.runs)
        columns = f" {middle(work, 0.5):14.2f} {middle(work, 0.95):8.2f}" if work else ""
        print(f"{name:24} {rows:6} {middle(times, 0.5):8.2f} {middle(times, 0.95):8.2f}{columns}",
              flush=True)


def timed_sqlite(store):
    """Measures a statement: the number of rows, elapsed times, processor times."""
    connection = store.opened()

    def timed(sql, runs):
        times, work, rows = [], [], 0
        for _ in range(runs):
            start, begun = time.monotonic(), time.process_time()
            rows = len(connection.execute(sql).fetchall())
            work.append((time.process_time() - begun) * 1000)
            times.append((time.monotonic() - start) * 1000)
        return rows, times, work

    return timed


def timed_postgresql(store):
    """Measures a statement: the number of rows, elapsed times, no processor times."""
    def timed(sql, runs):
        rows = int(asked(store.place, f"SELECT count(*) FROM ({sql}) AS counted"))
        script = "\\timing on\n\\o /dev/null\n" + f"{sql};\n" * runs
        done = subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", store.place],
                              input=script, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"psql: {done.returncode}\n{done.stderr}")
        times = [float(found) for found in re.findall(r"^Time: ([0-9.]+) ms", done.stdout, re.M)]
        return rows, times, []

    return timed


def tell(store, arguments, unit):
    print(f"{store.sessions} sessions; load {os.getloadavg()[0]:.1f};"
          f" each {arguments.runs} times, {unit}\n")


def run(command, status=0):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True)
    if done.returncode != status:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stderr.decode()}")
    return (time.monotonic() - start) * 1000


def middle(times, part):
    times = sorted(times)
    return times[max(0, math.ceil(part * len(times)) - 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    filling = commands.add_parser("fill")
    filling.add_argument("store")
    filling.add_argument("sessions", type=int)
    filling.add_argument("program", nargs="?")
    filling.add_argument("--logs", action="store_true")
    filling.add_argument("--records", type=int, default=1)
    filling.set_defaults(run=fill)
    measuring = commands.add_parser("measure")
    measuring.add_argument("store")
    measuring.add_argument("program")
    measuring.add_argument("--runs", type=int, default=20)
    measuring.add_argument("--json")
    measuring.set_defaults(run=measure)
    asking = commands.add_parser("queries")
    asking.add_argument("store")
    asking.add_argument("--runs", type=int, default=40)
    asking.set_defaults(run=queries)
    arguments = parser.parse_args()
    arguments.run(arguments)


main()

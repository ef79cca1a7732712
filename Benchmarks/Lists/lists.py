"""Fills a store with many sessions' rows and search terms, and measures lists, sums and searches as the program answers them.

    lists.py fill    STORE SESSIONS    STORE is sqlite:PATH or postgres://…, made by 'workflowctl demo --store STORE'
    lists.py measure STORE PROGRAM     [--runs N] [--json FILE]

The rows are what payments of a year leave behind: nearly all of them paid, and of each rare kind a few. They have no records,
so no command that reads a log can be measured with them. Each question is asked by a process of its own, in turns with
'workflowctl list' of a store with a single page, whose time is the baseline: starting, opening, printing.
"""

import argparse
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
import time

START = 1_735_689_600_000_000
YEAR = 365 * 86_400 * 1_000_000

# In both languages: which session is of which rare kind, by its number n.
KINDS = {
    "phase": "CASE WHEN n % 5000 = 1 THEN 'awaitingPSP' WHEN n % 5000 = 2 THEN 'awaitingClient'"
    " WHEN n % 5000 = 3 THEN 'ready' ELSE 'ended' END",
    "outcome": "CASE WHEN n % 5000 IN (1, 2, 3) THEN NULL WHEN n % 20 = 4 THEN 'canceled'"
    " WHEN n % 40 = 5 THEN 'failed' WHEN n % 100 = 6 THEN 'expired' ELSE 'completed' END",
    "settled": "CASE WHEN n % 5000 = 1 THEN 0 ELSE 1 END",
    "last_seq": "18",
    "reference": "'order-' || n",
    "instrument": "CASE WHEN n % 50000 = 9 THEN 'click-to-pay' WHEN n % 3 = 0 THEN 'swish' WHEN n % 3 = 1 THEN 'card'"
    " ELSE 'new-card' END",
    "problem": "CASE WHEN n % 5000 = 7 THEN 'requestFailed' END",
    "facts_version": "1",
    "turn": "CASE WHEN n % 20000 = 7 THEN 'support' WHEN n % 5000 IN (2, 3) THEN 'payer' ELSE 'nobody' END",
    "money": "CASE WHEN n % 5000 = 1 THEN 'underWay' WHEN n % 5000 IN (2, 3) THEN 'intended'"
    " WHEN n % 20 = 4 OR n % 40 = 5 OR n % 100 = 6 THEN 'none' ELSE 'confirmed' END",
    "money_seq": "17",
    "amount": "100 + n % 100000",
    "net": "100 + n % 100000",
    "currency": "CASE WHEN n % 10 = 8 THEN 'NOK' ELSE 'SEK' END",
    "host": "CASE WHEN n % 100000 = 5 THEN 'api.other.example' ELSE 'api.payex.com' END",
    "attempts": "1",
    "marks": "CASE WHEN n % 10000 = 12 THEN 4 ELSE 0 END",
}


def fill_sqlite(path, count):
    store = sqlite3.connect(path, isolation_level=None)
    store.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000")
    step = YEAR // count
    names, values = ", ".join(KINDS), ", ".join(KINDS.values())
    batch = 200_000
    for first in range(0, count, batch):
        last = min(count, first + batch)
        store.executescript(f"""
            BEGIN;
            WITH RECURSIVE numbers (n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {last - 1}),
                times AS (SELECT n, {START} + n * {step} AS at FROM numbers)
            INSERT INTO sessions (id, opened_at, last_at, money_since, due_at, imported, {names})
            SELECT printf('%08x-%04x-7%03x-8%03x-%012x', (at / 1000) >> 16, (at / 1000) & 65535, n & 4095, (n >> 12) & 4095, n),
                at, at + 60000000, at + 50000000, CASE WHEN n % 5000 = 1 THEN at + 90000000 END, 0, {values} FROM times;
            INSERT INTO search_terms (term, session) SELECT 'torder-' || (key - (SELECT min(key) FROM sessions
                WHERE reference = 'order-{first}') + {first}), key FROM sessions WHERE opened_at >= {START + first * step}
                AND opened_at < {START + last * step};
            COMMIT;""")
        tell(last, count)
    store.executescript("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")


def fill_postgresql(url, count):
    step = YEAR // count
    names, values = ", ".join(KINDS), ", ".join(KINDS.values())
    batch = 200_000
    for first in range(0, count, batch):
        last = min(count, first + batch)
        psql(url, f"""
            BEGIN;
            CREATE TEMPORARY TABLE made ON COMMIT DROP AS
                SELECT n, {START} + n * {step} AS at, (lpad(to_hex(({START} + n * {step}) / 1000), 12, '0') || '7'
                    || lpad(to_hex(n & 4095), 3, '0') || '8' || lpad(to_hex((n >> 12) & 4095), 3, '0')
                    || lpad(to_hex(n), 12, '0'))::uuid AS id
                FROM generate_series({first}::bigint, {last - 1}::bigint) AS n;
            INSERT INTO sessions (id, opened_at, last_at, money_since, due_at, imported, {names})
                SELECT id, at, at + 60000000, at + 50000000, CASE WHEN n % 5000 = 1 THEN at + 90000000 END, 0, {values} FROM made;
            INSERT INTO search_terms (term, session) SELECT 'torder-' || n, id FROM made;
            COMMIT;""")
        tell(last, count)
    psql(url, "VACUUM ANALYZE sessions")
    psql(url, "VACUUM ANALYZE search_terms")


def psql(url, sql):
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url], input=sql, text=True, check=True)


def tell(done, count):
    print(f"\r{done} of {count} sessions", end="" if done < count else "\n", file=sys.stderr, flush=True)


def questions(count):
    step = YEAR // count
    middle = count // 2

    def at(number):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime((START + number * step) / 1_000_000 + 1))

    return {
        "newest page": ["list", "--limit", "50"],
        "open, by phase": ["list", "--limit", "50", "--phase", "awaitingPSP"],
        "stuck": ["list", "--limit", "50", "--stuck"],
        "outcome failed": ["list", "--limit", "50", "--outcome", "failed"],
        "a problem": ["list", "--limit", "50", "--problem", "requestFailed"],
        "money under way": ["list", "--limit", "50", "--money", "underWay"],
        "money confirmed": ["list", "--limit", "50", "--money", "confirmed"],
        "turn support": ["list", "--limit", "50", "--turn", "support"],
        "a rare host": ["list", "--limit", "50", "--host", "api.other.example"],
        "a rare instrument": ["list", "--limit", "50", "--instrument", "click-to-pay"],
        "an hour": ["list", "--limit", "50", "--since", at(middle), "--until", at(middle + count // 8760)],
        "a page in the middle": ["list", "--limit", "50", "--until", at(middle)],
        "failed, with a card": ["list", "--limit", "50", "--outcome", "failed", "--instrument", "card"],
        "a reference": ["list", "--reference", f"order-{middle}"],
        "a reference's beginning": ["list", "--limit", "50", "--reference", f"order-{str(middle)[:-1]}*"],
        "at-risk": ["at-risk"],
        "at-risk of an hour": ["at-risk", "--since", at(middle), "--until", at(middle + count // 8760)],
    }


def measure(arguments):
    place = tempfile.mkdtemp()
    small = f"sqlite:{place}/small.db"
    subprocess.run([arguments.program, "demo", "--store", small], check=True, capture_output=True)
    count = sessions(arguments.store)
    print(f"{count} sessions; load {os.getloadavg()[0]:.1f}; each {arguments.runs} times, milliseconds of a whole process\n")
    print(f"{'question':26} {'p50':>8} {'p95':>8} {'baseline p50':>13} {'above it':>9}")
    rows = []
    for name, question in questions(count).items():
        times, base = [], []
        for _ in range(arguments.runs):
            base.append(run([arguments.program, "--store", small, "list", "--json"]))
            times.append(run([arguments.program, "--store", arguments.store, *question, "--json"]))
        row = {"question": name, "p50": middle(times, 0.5), "p95": middle(times, 0.95), "baseline": middle(base, 0.5)}
        rows.append(row)
        print(f"{name:26} {row['p50']:8.0f} {row['p95']:8.0f} {row['baseline']:13.0f} {row['p50'] - row['baseline']:9.0f}", flush=True)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"sessions": count, "rows": rows}, file, indent=2)


def sessions(store):
    if store.startswith("sqlite:"):
        return sqlite3.connect(store.removeprefix("sqlite:")).execute("SELECT count(*) FROM sessions").fetchone()[0]
    made = subprocess.run(["psql", "-XAt", "-d", store, "-c", "SELECT count(*) FROM sessions"], capture_output=True, check=True)
    return int(made.stdout)


def run(command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.returncode}\n{done.stderr.decode()}")
    return (time.monotonic() - start) * 1000


def middle(times, part):
    times = sorted(times)
    return times[max(0, math.ceil(part * len(times)) - 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    fill = commands.add_parser("fill")
    fill.add_argument("store")
    fill.add_argument("sessions", type=int)
    fill.set_defaults(run=lambda a: fill_sqlite(a.store.removeprefix("sqlite:"), a.sessions)
                      if a.store.startswith("sqlite:") else fill_postgresql(a.store, a.sessions))
    measuring = commands.add_parser("measure")
    measuring.add_argument("store")
    measuring.add_argument("program")
    measuring.add_argument("--runs", type=int, default=20)
    measuring.add_argument("--json")
    measuring.set_defaults(run=measure)
    arguments = parser.parse_args()
    arguments.run(arguments)


main()

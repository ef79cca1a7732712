"""Fills a store with the rows and search terms of many sessions, and measures lists and searches.

    lists.py fill    STORE SESSIONS
    lists.py measure STORE PROGRAM     [--runs N] [--json FILE]
    lists.py queries STORE             [--runs N]

STORE is sqlite:PATH or postgres://…, made by 'workflowctl demo --store STORE'.

The rows are what payments of a year leave behind: nearly all of them paid, and of each rare kind a
few. They have no records, so no command that reads a log can be measured with them. Each query is
run by a process of its own, in turns with 'workflowctl list' of a store with a single page, whose
time is the baseline: starting, opening, printing. 'queries' runs the statements themselves on a
SQLite store, and also measures the processor time, which a busy machine does not lengthen.
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
    # Without ANALYZE: nobody runs it on a store.
    store.executescript("PRAGMA wal_checkpoint(TRUNCATE)")


def fill_postgresql(url, count):
    step = YEAR // count
    names, values = ", ".join(KINDS), ", ".join(KINDS.values())
    # In one transaction, each row reads all earlier versions of its day's sums.
    batch = 10_000
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
        "statistics' counts": ["stats", "--counts"],
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


# The conditions of lists as the store writes them, and what sums read; {middle}, {hour} and {id}
# are of the middle of the year.
STATEMENTS = {
    "newest page": "imported = 0",
    "open, by phase": "phase = 'awaitingPSP' AND phase <> 'ended' AND imported = 0",
    "stuck": "due_at <= {end} AND imported = 0 AND phase <> 'ended'",
    "outcome failed": "outcome = 'failed' AND outcome <> 'completed' AND imported = 0",
    "a problem": "problem = 'requestFailed' AND problem IS NOT NULL AND imported = 0",
    "money under way": "money = 'underWay' AND (money = 'intended' OR money = 'underWay' OR money = 'unknown') AND facts_version = 1 AND imported = 0",
    "money confirmed": "money = 'confirmed' AND facts_version = 1 AND imported = 0",
    "turn support": "turn = 'support' AND turn <> 'nobody' AND facts_version = 1 AND imported = 0",
    "turn psp, of none": "turn = 'psp' AND turn <> 'nobody' AND facts_version = 1 AND imported = 0",
    "a rare host": "host = 'api.other.example' AND facts_version = 1 AND imported = 0",
    "a rare instrument": "instrument = 'click-to-pay' AND imported = 0",
    "a page in the middle": "+opened_at < {middle} AND id < '{id}' AND imported = 0",
    "failed, with a card": "outcome = 'failed' AND outcome <> 'completed' AND instrument = 'card' AND imported = 0",
    "failed, in the middle": "outcome = 'failed' AND outcome <> 'completed' AND +opened_at < {middle} AND id < '{id}' AND imported = 0",
    "a reference": "reference = 'order-5000000' AND imported = 0",
    "prefix of 11": "reference >= 'order-500000' AND reference < 'order-500000\U0010FFFF' AND imported = 0",
    "prefix of 1,111": "reference >= 'order-5000' AND reference < 'order-5000\U0010FFFF' AND imported = 0",
    "imported, of none": "imported = 1",
}
SUMS = {
    "sums": "SELECT host, currency, sum(sessions), sum(known), sum(net_high), sum(net_low) FROM money_days"
    " WHERE sessions <> 0 AND imported = 0 GROUP BY 1, 2",
    "sums, days in order": "SELECT day, since FROM money_days WHERE host = 'api.payex.com' AND currency = 'SEK'"
    " AND imported = 0 AND sessions <> 0 ORDER BY since, day",
    "sums, what is listed": "SELECT * FROM sessions WHERE facts_version IS 1 AND imported = 0 AND key IN ("
    "SELECT key FROM sessions WHERE (money = 'intended' OR money = 'underWay' OR money = 'unknown')"
    " UNION SELECT key FROM sessions WHERE marks <> 0 UNION SELECT key FROM sessions WHERE counts_with IS NOT NULL)",
    "counts of ended": "SELECT outcome, instrument, standing, marks, sum(sessions) FROM ended_days"
    " WHERE sessions <> 0 AND imported = 0 GROUP BY 1, 2, 3, 4",
    "counts of open": "SELECT sum(due_at <= 0), count(*) FROM sessions WHERE phase <> 'ended' AND facts_version IS 1 AND imported = 0",
    "search, a prefix": "SELECT id FROM sessions WHERE key IN (SELECT session FROM search_terms"
    " WHERE term >= 'torder-500000' AND term < 'torder-500000\U0010FFFF' LIMIT 2000)",
}


def queries(arguments):
    store = sqlite3.connect(f"file:{arguments.store.removeprefix('sqlite:')}?mode=ro", uri=True)
    moment = START + YEAR // 2
    text = f"{moment // 1000 + 1:012x}"
    values = {"middle": moment, "end": 2 * START, "id": f"{text[:8]}-{text[8:]}-0000-0000-000000000000"}
    asked = {}
    for name, condition in STATEMENTS.items():
        order = "+id" if name.startswith("prefix") else "id"
        asked[name] = f"SELECT * FROM sessions WHERE {condition.format(**values)} ORDER BY {order} DESC LIMIT 51"
    print(f"{sessions(arguments.store)} sessions; load {os.getloadavg()[0]:.1f}; each {arguments.runs} times, milliseconds\n")
    print(f"{'statement':24} {'rows':>6} {'p50':>8} {'p95':>8} {'processor p50':>14} {'p95':>8}")
    for name, sql in (asked | SUMS).items():
        times, work, rows = [], [], 0
        for _ in range(arguments.runs):
            start, begun = time.monotonic(), time.process_time()
            rows = len(store.execute(sql).fetchall())
            work.append((time.process_time() - begun) * 1000)
            times.append((time.monotonic() - start) * 1000)
        print(f"{name:24} {rows:6} {middle(times, 0.5):8.2f} {middle(times, 0.95):8.2f} {middle(work, 0.5):14.2f} {middle(work, 0.95):8.2f}",
              flush=True)


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
    asking = commands.add_parser("queries")
    asking.add_argument("store")
    asking.add_argument("--runs", type=int, default=40)
    asking.set_defaults(run=queries)
    arguments = parser.parse_args()
    arguments.run(arguments)


main()

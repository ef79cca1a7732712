"""Fills a store with the rows of many sessions, and with logs and search terms of samples."""

import os
import sqlite3
import subprocess
import sys

from samples import Samples

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
    "label": "CASE WHEN n % 50000 = 9 THEN 'click-to-pay' WHEN n % 3 = 0 THEN 'swish'"
    " WHEN n % 3 = 1 THEN 'card' ELSE 'new-card' END",
    "problem": "CASE WHEN n % 5000 = 7 THEN 'requestFailed' END",
    "facts_version": "1",
    "turn": "CASE WHEN n % 20000 = 7 THEN 'support' WHEN n % 5000 IN (2, 3) THEN 'payer'"
    " ELSE 'nobody' END",
    "money": "CASE WHEN n % 5000 = 1 THEN 'underWay' WHEN n % 5000 IN (2, 3) THEN 'intended'"
    " WHEN n % 20 = 4 OR n % 40 = 5 OR n % 100 = 6 THEN 'none' ELSE 'confirmed' END",
    "money_seq": "17",
    "amount": "100 + n % 100000",
    "net": "100 + n % 100000",
    "currency": "CASE WHEN n % 10 = 8 THEN 'NOK' ELSE 'SEK' END",
    "host": "CASE WHEN n % 100000 = 5 THEN 'api.other.example' ELSE 'api.payex.com' END",
    "attempts": "1",
    "marks": "CASE WHEN n % 10000 = 12 THEN 4 ELSE 0 END",
    # Of the time 'at' at which the session was opened.
    "opened_at": "at",
    "last_at": "at + 60000000",
    "money_since": "at + 50000000",
    "due_at": "CASE WHEN n % 5000 = 1 THEN at + 90000000 END",
    "imported": "0",
}
# The sums of the rows, as the store keeps them: by hours and days.
SUMS = """
    INSERT INTO listed_sums SELECT name, span, opened_at / length, imported, key, count(*), count(net),
        coalesce(sum(net >> 31), 0), coalesce(sum(net & 2147483647), 0), min(since)
    FROM (
        SELECT 'money.1' AS name, opened_at, imported, {list}(host, currency){text} AS key, net,
            money_since AS since
        FROM listed_sessions WHERE money = 'confirmed' AND marks = 0 AND counts_with IS NULL
        UNION ALL SELECT 'ended.1', opened_at, imported,
            {list}(outcome, label, money, marks & 5){text}, NULL, NULL
        FROM listed_sessions WHERE phase = 'ended'
    ) AS rows CROSS JOIN (SELECT 'hour' AS span, 3600000000 AS length
        UNION ALL SELECT 'day', 86400000000) AS spans
    GROUP BY 1, 2, 3, 4, 5"""
# The columns that the rows of appends have, too: without the facts, which nothing here reads.
COMMON = ("id, phase, outcome, settled, last_seq, reference, label, problem, opened_at, last_at, due_at,"
          " imported")
COLUMNS, VALUES = ", ".join(KINDS), ", ".join(KINDS.values())
RECORD = "session, seq, position, type, at, record, prev, hash"


def opened(number, count):
    """When one of so many sessions was opened, in microseconds."""
    return START + number * (YEAR // count)


def identity(number, count):
    """The identity of one of so many sessions."""
    time = opened(number, count) // 1000
    return (f"{time >> 16:08x}-{time & 65535:04x}-7{number & 4095:03x}"
            f"-8{number >> 12 & 4095:03x}-{number:012x}")


def fill(arguments):
    if arguments.logs and not arguments.program:
        sys.exit("--logs requires the program")
    if arguments.records < 1:
        sys.exit("--records must be at least 1")
    samples = None
    if arguments.logs:
        # The terms belong to the rules and keys with which the store's index was begun.
        subprocess.run([arguments.program, "--store", arguments.store, "store", "index"],
                       check=True, stdout=subprocess.DEVNULL)
        samples = Samples(arguments.program, arguments.records)
    if arguments.store.startswith("sqlite:"):
        fill_sqlite(arguments.store.removeprefix("sqlite:"), arguments.sessions, samples)
    else:
        fill_postgresql(arguments.store, arguments.sessions, samples)


def fill_sqlite(path, count, samples):
    store = sqlite3.connect(path, isolation_level=None)
    # Without a journal, a fill that is interrupted leaves a damaged store.
    store.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                        " PRAGMA cache_size = -1000000")
    key = store.execute("SELECT coalesce(max(key), 0) + 1 FROM sessions").fetchone()[0]
    batch = 200_000
    for first in range(0, count, batch):
        last = min(count, first + batch)
        store.executescript(f"""
            BEGIN;
            WITH RECURSIVE numbers (n) AS (
                    SELECT {first} UNION ALL SELECT n + 1 FROM numbers WHERE n < {last - 1}),
                times AS (SELECT n, {opened(0, count)} + n * {YEAR // count} AS at FROM numbers)
            INSERT INTO listed_sessions (key, id, {COLUMNS})
            SELECT {key} + n, printf('%08x-%04x-7%03x-8%03x-%012x', (at / 1000) >> 16,
                (at / 1000) & 65535, n & 4095, (n >> 12) & 4095, n), {VALUES} FROM times;
            INSERT INTO sessions (key, {COMMON})
            SELECT key, {COMMON} FROM listed_sessions WHERE key >= {key + first};""")
        sessions = [(number, identity(number, count)) for number in range(first, last)]
        store.executemany("INSERT OR IGNORE INTO search_terms (term, session) VALUES (?, ?)",
                          ((term, key + number) for term, number in terms(sessions, samples)))
        if samples:
            store.executemany(f"INSERT INTO events ({RECORD}) VALUES (?, ?, NULL, ?, ?, ?, ?, ?)",
                              ((key + number, *record)
                               for number, *record in samples.records(sessions)))
        store.execute("COMMIT")
        tell(last, count)
    if samples:
        for progress in ("search_progress", "listed_progress"):
            store.execute(f"UPDATE {progress} SET position = (SELECT max(position) FROM events)")
    store.execute(SUMS.format(list="json_array", text=""))
    # Without ANALYZE: nobody runs it on a store.
    store.execute("PRAGMA journal_mode = WAL")


def terms(sessions, samples):
    """The terms of (number, identity): term, number; without samples, that of its reference."""
    if samples:
        return samples.terms(sessions)
    return ((f"torder-{number}", number) for number, _ in sessions)


def fill_postgresql(url, count, samples):
    lanes = Lanes(url)
    psql = PSQL(url)
    batch = 100_000
    for first in range(0, count, batch):
        last = min(count, first + batch)
        psql.run(f"""
            BEGIN;
            WITH made AS (INSERT INTO listed_sessions (id, {COLUMNS})
            SELECT id, {VALUES} FROM (
                SELECT n, at, (lpad(to_hex(at / 1000), 12, '0') || '7'
                    || lpad(to_hex(n & 4095), 3, '0') || '8'
                    || lpad(to_hex((n >> 12) & 4095), 3, '0') || lpad(to_hex(n), 12, '0'))::uuid
                    AS id
                FROM generate_series({first}::bigint, {last - 1}::bigint) AS s (n)
                CROSS JOIN LATERAL (SELECT {START} + n * {YEAR // count} AS at) AS t) AS numbers
            RETURNING *) INSERT INTO sessions ({COMMON}) SELECT {COMMON} FROM made;""")
        sessions = [(number, identity(number, count)) for number in range(first, last)]
        psql.copy("search_terms (term, session)",
                  (f"{escaped(term)}\t{identity(number, count)}\n"
                   for term, number in terms(sessions, samples)))
        if samples:
            psql.copy(f"events ({RECORD})",
                      (lanes.line(number, identity(number, count), record)
                       for number, *record in samples.records(sessions)))
            psql.run(lanes.moved)
        psql.run("COMMIT;")
        tell(last, count)
    if samples:
        psql.run("UPDATE search_progress SET position = (SELECT max(position) FROM log_end),"
                 " lanes = (SELECT array_agg(position ORDER BY only_row) FROM log_end);"
                 " UPDATE listed_progress p SET position = e.position, reached = e.position FROM log_end e"
                 " WHERE e.only_row = p.only_row;")
    psql.run(SUMS.format(list="json_build_array", text="::text") + ";")
    for table in ("sessions", "listed_sessions", "listed_sums", "search_terms", "events"):
        psql.run(f"VACUUM ANALYZE {table};")
    psql.close()


class Lanes:
    """The commit orders of a store, each with the position of its last record."""

    def __init__(self, url):
        rows = asked(url, "SELECT only_row, position FROM log_end ORDER BY only_row").split()
        self.ends = [[int(number) for number in row.split("|")] for row in rows]

    def line(self, number, session, record):
        """The next record of a session, as a line of COPY.

        The last byte of an identity is that of the number and determines the lane.
        """
        place, kind, at, content, previous, link = record
        end = self.ends[number & 255 & len(self.ends) - 1]
        end[1] += 1
        # Bytes are escaped as text, and the text for COPY.
        text = escaped(content.decode().replace("\\", "\\\\"))
        return (f"{session}\t{place}\t{end[1]}\t{kind}\t{at}\t{text}"
                f"\t\\\\x{previous.hex()}\t\\\\x{link.hex()}\n")

    @property
    def moved(self):
        return "".join(f"UPDATE log_end SET position = {position} WHERE only_row = {row};\n"
                       for row, position in self.ends)


def escaped(text):
    """A text as a value of COPY."""
    if "\\" in text or "\t" in text or "\n" in text:
        text = text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    return text


class PSQL:
    """A psql that runs statements while the next ones are made."""

    def __init__(self, url):
        self.process = subprocess.Popen(
            ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", url], stdin=subprocess.PIPE,
            text=True, encoding="utf-8", env=os.environ | {"PGCLIENTENCODING": "UTF8"})

    def write(self, lines):
        try:
            self.process.stdin.writelines(lines)
        except BrokenPipeError:
            sys.exit(f"psql: {self.process.wait()}")

    def run(self, sql):
        self.write([sql, "\n"])

    def copy(self, table, lines):
        self.run(f"COPY {table} FROM STDIN;")
        self.write(lines)
        self.run("\\.")

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit(f"psql: {self.process.returncode}")


def asked(url, sql):
    """What psql prints for a query, without alignment and headings."""
    made = subprocess.run(["psql", "-XAt", "-d", url, "-c", sql], capture_output=True, text=True,
                          check=True)
    return made.stdout


def tell(done, count):
    end = "" if done < count else "\n"
    print(f"\r{done} of {count} sessions", end=end, file=sys.stderr, flush=True)

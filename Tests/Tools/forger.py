#!/usr/bin/env python3
"""An adversary who can write the store or hand in files, and has no keys.

  forger.py append STORE SESSION TYPE DATA    adds a record at the end, with a correct chain
  forger.py cut STORE SESSION                 removes the last record, also from the row
  forger.py strip STORE SESSION               removes the MAC of every record
  forger.py change STORE SESSION SEQ OLD NEW  changes a record's text, and chains all after it anew
  forger.py extend FILE SESSION TYPE DATA     is append for an export; prints the longer log
"""
import hashlib
import json
import sqlite3
import sys


def digest(previous, canonical):
    return hashlib.sha256(previous + canonical).digest()


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def following(record, kind, data):
    made = dict(record)
    made.update(seq=record["seq"] + 1, type=kind, data=json.loads(data), v=1)
    return made


def open_store(path, session):
    store = sqlite3.connect(path)
    key, = store.execute("SELECT key FROM sessions WHERE id = ?", (session,)).fetchone()
    return store, key


def append(path, session, kind, data):
    store, key = open_store(path, session)
    at, record, last = store.execute(
        "SELECT at, record, hash FROM events WHERE session = ? ORDER BY seq DESC LIMIT 1", (key,)
    ).fetchone()
    made = following(json.loads(record), kind, data)
    text = canonical(made)
    store.execute(
        "INSERT INTO events (session, seq, type, at, record, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (key, made["seq"], kind, at, text, last, digest(last, text)),
    )
    # What the list makes of it is no secret either: something is outstanding now, and there are
    # no facts.
    store.execute(
        "UPDATE sessions SET last_seq = ?, settled = 0, facts = NULL, due_at = ? WHERE key = ?",
        (made["seq"], at, key)
    )
    store.commit()


def cut(path, session):
    store, key = open_store(path, session)
    last, = store.execute("SELECT max(seq) FROM events WHERE session = ?", (key,)).fetchone()
    store.execute("DELETE FROM events WHERE session = ? AND seq = ?", (key, last))
    at, = store.execute("SELECT at FROM events WHERE session = ? AND seq = ?", (key, last - 1)).fetchone()
    store.execute("UPDATE sessions SET last_seq = ?, last_at = ? WHERE key = ?", (last - 1, at, key))
    store.commit()


def strip(path, session):
    store, key = open_store(path, session)
    store.execute("UPDATE events SET mac = NULL WHERE session = ?", (key,))
    store.execute("UPDATE sessions SET head_mac = NULL WHERE key = ?", (key,))
    store.commit()


def change(path, session, place, old, new):
    store, key = open_store(path, session)
    previous = b"\0" * 32
    rows = store.execute("SELECT seq, record FROM events WHERE session = ? ORDER BY seq", (key,)).fetchall()
    for seq, record in rows:
        if seq == int(place):
            assert old.encode() in record, "the record does not say that"
            record = record.replace(old.encode(), new.encode())
        made = digest(previous, record)
        store.execute(
            "UPDATE events SET record = ?, prev = ?, hash = ? WHERE session = ? AND seq = ?",
            (record, previous, made, key, seq),
        )
        previous = made
    store.commit()


def extend(path, session, kind, data):
    last = None
    for line in open(path):
        sys.stdout.write(line)
        entry = json.loads(line)
        if entry["record"]["stream"] == session:
            last = entry
    made = following(last["record"], kind, data)
    chained = digest(bytes.fromhex(last["hash"]), canonical(made)).hex()
    print(json.dumps({"hash": chained, "prev": last["hash"], "record": made, "seals": []}, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    {"append": append, "cut": cut, "strip": strip, "change": change, "extend": extend}[sys.argv[1]](*sys.argv[2:])

"""Reads and verifies log files: python3 read_log.py [--data-key HEX] FILE…

It is written from Documentation/log-format.md and the schemas alone, as one elsewhere would be.

For each session of a file, in the order of their first records, it prints an object: `session`;
`records`; `types`, how many are of each; `attempts`, how many were started; `outcome`, the first
end; `reference`, the merchant's if it is in the clear; `sound`; and, if that is false, `fault`, the
first defect. Lines that name no session, as they are not JSON, are reported with `session` null.

It verifies form, sequence, time, chain and numbers of sealed values; with the data key, which must
be that of all sessions, also MACs, and seals and fingerprints, for which it needs the package
`cryptography`. It does not compare `data` with its schema. It exits with 1 if any is not sound.
"""

import argparse
import base64
import datetime
import hashlib
import hmac
import json
import re
import sys

LEVELS, STRING, RECORD, LINE, REWRITTEN_LINE = 32, 1 << 20, 8 << 20, 64 << 20, 4 << 20
HASH = re.compile("[0-9a-f]{64}")
SESSION = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
TEXT = re.compile(rb'"([^"\\]*(?:\\.[^"\\]*)*)"')
BASE64 = re.compile("[A-Za-z0-9+/]*={0,2}")
INTEGER = re.compile("0|-?[1-9][0-9]{0,15}")
SEALED = re.compile(rb'\{"\$sealed":(-?[0-9]+),"fp":"([0-9a-f]{64})"\}')


class Fault(Exception):
    """The first defect of a session."""


def need(condition, fault):
    if not condition:
        raise Fault(fault)


def matches(pattern, value):
    return isinstance(value, str) and pattern.fullmatch(value)


def members(pairs):
    """An object with its members in canonical order: that of their names in UTF-16."""
    need(len(dict(pairs)) == len(pairs), "an object has a name twice")
    return dict(sorted(pairs, key=lambda pair: pair[0].encode("utf-16-be")))


def number(text):
    need(INTEGER.fullmatch(text) and abs(int(text)) < 1 << 53, "a number is no integer in range")
    return int(text)


def canonical(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def levels(value):
    parts = value.values() if isinstance(value, dict) else value
    return 1 + max(map(levels, parts), default=0) if isinstance(value, (dict, list)) else 0


def parse(line):
    """A line's session, the object in it, its record's canonical bytes, and the nesting."""
    need(len(line) <= LINE, "the line is too long")
    try:
        value = json.loads(line.decode("utf-8-sig"), object_pairs_hook=members, parse_int=number,
                           parse_float=number, parse_constant=number)
        is_canonical = canonical(value) == line
        need(is_canonical or len(line) <= REWRITTEN_LINE, "the line is too long for its form")
        need(isinstance(value, dict) and isinstance(value.get("record"), dict), "no record")
        need(matches(SESSION, value["record"].get("stream")), "the record names no session")
        record = canonical(value["record"])
        nesting = levels(value["record"] if is_canonical else value)
    except (ValueError, RecursionError):  # ValueError also for what has no UTF-8
        raise Fault("the line is not JSON, or nested too deeply") from None
    return value["record"]["stream"], value, record, nesting


def hkdf(key, info):
    return hmac.digest(hmac.digest(bytes(32), key, "sha256"), info + b"\x01", "sha256")


def verify_with_key(key, line, sealed):
    """Verifies a record's MAC, and its seals and fingerprints unless it was redacted."""
    k = hkdf(key, b"payment-workflow record mac v1")
    mac = hmac.digest(k, bytes.fromhex(line["hash"]), "sha256").hex()
    need(line.get("mac") == mac, "the MAC is missing or wrong")
    for number, (seal, (_, fingerprint)) in enumerate(zip(line["seals"], sealed)):
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        seal, place = base64.b64decode(seal), "{stream}/{seq}/".format_map(line["record"])
        try:
            plain = AESGCM(key).decrypt(seal[:12], seal[12:], f"{place}{number}".encode())
        except (InvalidTag, ValueError):
            raise Fault(f"seal {number} does not open") from None
        found = hmac.digest(hkdf(key, b"payment-workflow fingerprint v1"), plain, "sha256")
        need(found.hex() == fingerprint.decode(), f"seal {number} has another fingerprint")


def is_time(value):
    try:
        return matches(TIME, value) and datetime.datetime.fromisoformat(value[:-1])
    except ValueError:  # such as the 30th of February
        return False


def verify_members(line):
    """Verifies that a line and its record have their members, in the right form."""
    record, seals = line["record"], line.get("seals")
    data, meta = record.get("data"), record.get("meta")
    hashes = line.get("hash"), line.get("prev"), line.get("mac", "0" * 64)
    need(all(matches(HASH, value) for value in hashes), "hash, prev or mac is malformed")
    need(isinstance(seals, list) and all(matches(BASE64, seal) and len(seal) % 4 == 0
                                         for seal in seals), "the seals are malformed")
    need(isinstance(data, dict) and isinstance(meta, dict), "data or meta is missing")
    texts = [*map(meta.get, ("build", "catalogue", "cause", "node")), meta.get("trace", "")]
    need(all(isinstance(text, str) for text in [record.get("type"), *texts]), "a text is missing")
    need(type(record.get("seq")) is type(record.get("v")) is int, "seq or v is malformed")
    need(is_time(record.get("at")), "the time is malformed")


class Session:
    def __init__(self, name):
        self.hash, self.at = "0" * 64, ""
        self.report = {"attempts": 0, "outcome": None, "records": 0, "reference": None,
                       "session": name, "sound": True, "types": {}}

    def read(self, line, record_bytes, nesting, key):
        """Verifies a line as the next of the session, and takes what it says."""
        need(len(record_bytes) <= RECORD and nesting <= LEVELS, "the record passes a limit")
        need(all(len(t[1]) <= STRING for t in TEXT.finditer(record_bytes)), "a text is too long")
        verify_members(line)
        record, report = line["record"], self.report
        need(record["seq"] == report["records"] + 1, "a record is missing or moved")
        need(record["at"] >= self.at, "the time went back")
        need(line["prev"] == self.hash, "it does not follow the record before")
        found = hashlib.sha256(bytes.fromhex(self.hash) + record_bytes).hexdigest()
        need(line["hash"] == found, "the record is not what was hashed")
        sealed = SEALED.findall(record_bytes)
        need([int(n) for n, _ in sealed] == [*range(len(sealed))], "sealed values are misnumbered")
        need(len(line["seals"]) in (0, len(sealed)), "seals are missing, or too many")
        if key:
            verify_with_key(key, line, sealed)
        self.hash, self.at = line["hash"], record["at"]
        kind, reference = record["type"], record["data"].get("reference")
        report["records"] += 1
        report["types"][kind] = report["types"].get(kind, 0) + 1
        if record["v"] == 1:  # what others mean is not known
            report["attempts"] += kind == "attemptStarted"
            if kind in ("completed", "canceled", "failed", "expired"):
                report["outcome"] = report["outcome"] or kind
            if kind in ("opened", "checkoutOpened") and isinstance(reference, str):
                report["reference"] = reference


def lines(file):
    """The lines without their ends; of a line that is too long, the start."""
    while line := file.readline(LINE + 3):
        end = line
        while end and not end.endswith(b"\n"):
            end = file.readline(LINE)
        yield line.removesuffix(b"\n").removesuffix(b"\r")


def read(file, key):
    """The reports of the sessions in a file."""
    sessions = {}
    for text in filter(None, lines(file)):
        name = None
        try:
            name, *contents = parse(text)
            session = sessions.setdefault(name, Session(name))
            if session.report["sound"]:
                session.read(*contents, key)
        except Fault as fault:
            report = sessions.setdefault(name, Session(name)).report
            report.update(sound=False, fault=report.get("fault", str(fault)))
    return [session.report for session in sessions.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-key", metavar="HEX", type=bytes.fromhex)
    parser.add_argument("files", metavar="FILE", nargs="+", type=argparse.FileType("rb"))
    options = parser.parse_args()
    if options.data_key is not None and len(options.data_key) != 32:
        parser.error("a data key has 64 hexadecimal digits")
    reports = [report for file in options.files for report in read(file, options.data_key)]
    for report in reports:
        print(json.dumps(report, sort_keys=True))
    return 0 if all(report["sound"] for report in reports) else 1


if __name__ == "__main__":
    sys.exit(main())

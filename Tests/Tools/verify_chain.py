"""Verifies the hash chain and the sequence of log files: python3 verify_chain.py FILE…

With the data key of their session, python3 verify_chain.py --data-key HEX FILE…, it also verifies
the MACs of records. Standard library only.
"""
import hashlib, hmac, json, sys

def canonical(value):
    """RFC 8785 for whole numbers: members sorted by UTF-16 code units, no spaces, UTF-8."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(n) + ":" + canonical(value[n]) for n in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float) or (type(value) is int and abs(value) >= 2**53):
        raise ValueError("a number is not whole or too great")
    return json.dumps(value, ensure_ascii=False)

def refuse(text):
    raise ValueError("a number is not whole")

def whole(text):
    """A number as the canonical form has it: no fraction, no exponent, no zero below zero."""
    return int(text) if text != "-0" else refuse(text)

def derived(key, info):
    """HKDF-SHA-256 (RFC 5869) without salt, one block."""
    extracted = hmac.digest(b"\0" * 32, key, "sha256")
    return hmac.digest(extracted, info + b"\1", "sha256")

arguments, key = sys.argv[1:], None
if arguments and arguments[0] == "--data-key":
    key, arguments = derived(bytes.fromhex(arguments[1]), b"payment-workflow record mac v1"), arguments[2:]

ends, authentic = {}, 0
try:
    for path in arguments:
        for line in open(path, encoding="utf-8", newline="\n"):
            entry = json.loads(line, parse_int=whole, parse_float=refuse, parse_constant=refuse)
            record, stream = entry["record"], entry["record"]["stream"]
            seq, prev = ends.get(stream, (0, "0" * 64))
            data = bytes.fromhex(entry["prev"]) + canonical(record).encode("utf-8")
            if (record["seq"], entry["prev"]) != (seq + 1, prev):
                raise ValueError("out of sequence")
            if hashlib.sha256(data).hexdigest() != entry["hash"]:
                raise ValueError("altered")
            if key:
                mac = hmac.digest(key, bytes.fromhex(entry["hash"]), "sha256").hex()
                if not hmac.compare_digest(mac, entry.get("mac", "")):
                    raise ValueError("not authentic")
                authentic += 1
            ends[stream] = (seq + 1, entry["hash"])
except (ValueError, KeyError, TypeError) as error:
    sys.exit(f"{path}: after {ends}: {error}")
print(f"verified  records: {sum(seq for seq, _ in ends.values())}, sessions: {len(ends)}"
      + (f"\nauthentic records: {authentic}" if key else ""))

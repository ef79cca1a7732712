"""Verifies the hash chain and the sequence of log files: python3 verify_chain.py FILE…  (standard library only)"""
import hashlib, json, sys

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

ends, masked = {}, 0
try:
    for path in sys.argv[1:]:
        for line in open(path, encoding="utf-8", newline="\n"):
            entry = json.loads(line)
            record, stream = entry["record"], entry["record"]["stream"]
            seq, prev = ends.get(stream, (0, "0" * 64))
            data = bytes.fromhex(entry["prev"]) + canonical(record).encode("utf-8")
            if (record["seq"], entry["prev"]) != (seq + 1, prev):
                raise ValueError("out of sequence")
            if "masked" in entry and entry["seals"] == []:
                masked += 1  # its hash is that of the text before: the links around it hold, its content is not proved
            elif hashlib.sha256(data).hexdigest() != entry["hash"]:
                raise ValueError("altered")
            ends[stream] = (seq + 1, entry["hash"])
except (ValueError, KeyError, TypeError) as error:
    sys.exit(f"{path}: after {ends}: {error}")
print(f"{sum(seq for seq, _ in ends.values())} records in {len(ends)} sessions are sound"
      + (f"; in {masked} of them text is masked, which their hashes do not cover" if masked else ""))

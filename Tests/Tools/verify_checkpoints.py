#!/usr/bin/env python3
"""Verifies exported logs and checkpoints from files alone, without the program or a store.

    verify-log [--key PUBLICKEY]… [--log LOG] [FILE…]

Each FILE is what 'workflowctl checkpoint export' or 'checkpoint prove' wrote. Checked are: the
signature (by one of the keys, when any is given), the proof that the checkpoint continues an
earlier one, the proof that it covers a session, and its leaves. Several files have to be of one
list: each smaller one must be shown to be the beginning of a larger one. LOG is an exported log:
its hash chains are checked, and that it contains whatever the files cover of it.

Needs Python 3 and the package 'cryptography' (Debian: python3-cryptography). Exits 1 and names
the first contradiction.
"""
import argparse
import hashlib
import json
import sys

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ModuleNotFoundError:
    sys.exit("the Python package 'cryptography' is missing: apt-get install python3-cryptography")


class Contradiction(Exception):
    """Something that is not as a file says."""


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


def leaf_hash(leaf):
    """RFC 6962, section 2.1: a byte 0 before a leaf."""
    return hashlib.sha256(b"\x00" + canonical(leaf).encode("utf-8")).digest()


def node_hash(left, right):
    """RFC 6962, section 2.1: a byte 1 before a node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_hash(hashes):
    """The root over the hashes of leaves."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return node_hash(root_hash(hashes[:half]), root_hash(hashes[half:]))


def inclusion_root(hash_, index, size, path):
    """The root that a path leads to, by the recursive definition, not the iterative algorithm."""
    if size == 1:
        if path:
            raise Contradiction("it does not cover the session: the path is too long")
        return hash_
    if not path:
        raise Contradiction("it does not cover the session: the path is too short")
    half = 1 << (size - 1).bit_length() - 1
    if index < half:
        return node_hash(inclusion_root(hash_, index, half, path[:-1]), path[-1])
    return node_hash(path[-1], inclusion_root(hash_, index - half, size - half, path[:-1]))


def consistency_roots(first, size, proof, known):
    """The roots of the earlier and the later list that a proof leads to.

    `known` is the earlier root, while it is all.
    """
    if first == size:
        if known is not None:
            if proof:
                raise Contradiction("it does not go on from the earlier one: the proof is too long")
            return known, known
        if len(proof) != 1:
            raise Contradiction("it does not go on from the earlier one: the proof has a wrong length")
        return proof[0], proof[0]
    if not proof:
        raise Contradiction("it does not go on from the earlier one: the proof is too short")
    half = 1 << (size - 1).bit_length() - 1
    if first <= half:
        earlier, later = consistency_roots(first, half, proof[:-1], known)
        return earlier, node_hash(later, proof[-1])
    earlier, later = consistency_roots(first - half, size - half, proof[:-1], None)
    return node_hash(proof[-1], earlier), node_hash(proof[-1], later)


def digest(text):
    """The 32 bytes of a hash."""
    data = bytes.fromhex(text)
    if len(data) != 32 or data.hex() != text:
        raise ValueError("a hash is not 64 lower-case digits")
    return data


def check_file(document, keys):
    """Checks what one file claims."""
    if set(document) - {"checkpoint", "consistency", "inclusion", "leaves", "publicKey", "signature"}:
        raise ValueError("it has members that do not belong")
    checkpoint, public = document["checkpoint"], digest(document["publicKey"])
    size, root = checkpoint["size"], digest(checkpoint["root"])
    if set(checkpoint) != {"at", "key", "root", "size"} or type(size) is not int or size < 1:
        raise ValueError("it is no checkpoint")
    if hashlib.sha256(public).hexdigest()[:16] != checkpoint["key"]:
        raise Contradiction("the key is not the one that the checkpoint names")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(
            bytes.fromhex(document["signature"]), canonical(checkpoint).encode("utf-8"))
    except InvalidSignature:
        raise Contradiction("the signature does not hold") from None
    if keys and public not in keys:
        raise Contradiction("it was signed by somebody else")
    consistency = document.get("consistency")
    if consistency:
        first, earlier = consistency["size"], digest(consistency["root"])
        if not 0 < first <= size:
            raise Contradiction("it does not go on from the earlier one")
        proof = [digest(hash_) for hash_ in consistency["path"]]
        if consistency_roots(first, size, proof, earlier) != (earlier, root):
            raise Contradiction("it does not go on from the earlier one")
    inclusion = document.get("inclusion")
    if inclusion:
        if not 0 <= inclusion["index"] < size:
            raise Contradiction("it does not cover the session")
        path = [digest(hash_) for hash_ in inclusion["path"]]
        if inclusion_root(leaf_hash(inclusion["leaf"]), inclusion["index"], size, path) != root:
            raise Contradiction("it does not cover the session")
    if "leaves" in document:
        hashes = [leaf_hash(leaf) for leaf in document["leaves"]]
        if len(hashes) != size or root_hash(hashes) != root:
            raise Contradiction("the leaves don't give the root")


def check_files_together(documents):
    """Checks that all files are of one list."""
    roots = {}

    def note(size, root, name):
        if roots.setdefault(size, (root, name))[0] != root:
            raise Contradiction(f"{name} and {roots[size][1]} are of different lists")

    linked = set()
    for name, document in documents:
        note(document["checkpoint"]["size"], document["checkpoint"]["root"], name)
        if document.get("consistency"):
            note(document["consistency"]["size"], document["consistency"]["root"], name)
            linked.add(document["consistency"]["size"])
    for name, document in documents:
        if "leaves" in document:
            hashes = [leaf_hash(leaf) for leaf in document["leaves"]]
            for size, (root, other) in list(roots.items()):
                if size <= len(hashes):
                    linked.add(size)
                    if root_hash(hashes[:size]).hex() != root:
                        raise Contradiction(f"{name} does not begin with the list of {other}")
    sizes = sorted({document["checkpoint"]["size"] for _, document in documents})
    for size in sizes[:-1]:
        if size not in linked:
            raise Contradiction(f"nothing shows that a larger list begins with that of {roots[size][1]}")


def refuse(text):
    raise Contradiction(f"{text} is not a whole number as the canonical form has it")


def whole(text):
    return int(text) if text != "-0" else refuse(text)


def check_log(path, documents):
    """Checks an exported log's chains, and that it holds what the files cover."""
    hashes, ends = {}, {}
    with open(path, encoding="utf-8", newline="\n") as log:
        for number, line in enumerate(log, 1):
            entry = json.loads(line, parse_int=whole, parse_float=refuse, parse_constant=refuse)
            record, stream = entry["record"], entry["record"]["stream"]
            seq, prev = ends.get(stream, (0, "0" * 64))
            if (record["seq"], entry["prev"]) != (seq + 1, prev):
                raise Contradiction(f"line {number} of the log does not follow the one before")
            data = bytes.fromhex(prev) + canonical(record).encode("utf-8")
            if hashlib.sha256(data).hexdigest() != entry["hash"]:
                raise Contradiction(f"line {number} of the log was altered")
            ends[stream] = (seq + 1, entry["hash"])
            hashes[stream, seq + 1] = entry["hash"]
    for name, document in documents:
        leaves = document.get("leaves", [])
        if document.get("inclusion"):
            leaves = leaves + [document["inclusion"]["leaf"]]
        for leaf in leaves:
            stream, seq = leaf["stream"], leaf["seq"]
            if stream not in ends:
                raise Contradiction(f"session {stream} was removed: {name} covers it")
            if (stream, seq) not in hashes:
                raise Contradiction(f"record {seq} of session {stream} is missing: {name} covers it")
            if hashes[stream, seq] != leaf["hash"]:
                raise Contradiction(f"the log of session {stream} was rewritten: {name} covers another")
    return len(hashes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--key", action="append", default=[], help="a public key that may have signed")
    parser.add_argument("--log", help="an exported log")
    parser.add_argument("files", nargs="*", help="what 'checkpoint export' or 'checkpoint prove' wrote")
    arguments = parser.parse_args()
    if not arguments.files and not arguments.log:
        parser.error("give a log, a checkpoint, or both")
    documents, name, records = [], "", 0
    try:
        keys = [digest(key) for key in arguments.key]
        for name in arguments.files:
            with open(name, encoding="utf-8") as file:
                document = json.load(file)
            check_file(document, keys)
            documents.append((name, document))
        name = "the files"
        check_files_together(documents)
        if arguments.log:
            name = arguments.log
            records = check_log(arguments.log, documents)
    except Contradiction as contradiction:
        sys.exit(f"{name}: {contradiction}")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        sys.exit(f"{name}: does not read: {error!r}")
    print(f"{len(documents)} checkpoints and {records} records are sound")


if __name__ == "__main__":
    main()

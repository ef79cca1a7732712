#!/usr/bin/env python3
"""Reads the program's diagrams with Mermaid's own parser and compares the result with the logs.

  check_diagrams.py PROGRAM PARSER LOG…

PARSER is a bundle that gives the page a function `parse_mermaid`. Exits 1 with the first
difference.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys

import browser as driver

HOSTILE = ("\"><script>window.stolen=1</script>;#35;%%{init}%% \n end\u2028\u202e]]>&lt;{{x}} --> wrap: title: x`$(id)' "
           "A->>B: x %% comment\nNote over engine: y; end")
SIGNS = {0: "->>", 1: "-->>", 3: "-x"}


def ordered(value):
    """The value with members in the order of RFC 8785: by the UTF-16 of their names."""
    if isinstance(value, dict):
        return {name: ordered(value[name]) for name in sorted(value, key=lambda name: name.encode("utf-16-be"))}
    return [ordered(member) for member in value] if isinstance(value, list) else value


def canonical(value):
    return json.dumps(ordered(value), separators=(",", ":"), ensure_ascii=False).encode()


def hostile(log):
    """The log with hostile words wherever somebody else writes some, in a chain that is sound."""
    previous = bytes(32)
    for line in log.splitlines():
        record = json.loads(line)["record"]
        spoil(record["data"])
        digest = hashlib.sha256(previous + canonical(record)).digest()
        yield canonical({"hash": digest.hex(), "prev": previous.hex(), "record": record, "seals": []}).decode()
        previous = digest


def spoil(value):
    for name, member in (value.items() if isinstance(value, dict) else enumerate(value)):
        if isinstance(member, (dict, list)):
            spoil(member)
        elif name in ("title", "detail", "reference", "by"):
            value[name] = HOSTILE


def decoded(text):
    return re.sub(r"#(\d+);", lambda code: chr(int(code.group(1))), text)


def meant(source):
    """The title, participants and statements that the source is made of."""
    lines = [line[4:] for line in source.rstrip("\n").split("\n")[1:]]
    title = decoded(lines[0].removeprefix("title "))
    names, statements = [], []
    for line in lines[1:]:
        if line.startswith("participant "):
            names.append(decoded(line.split(" as ", 1)[1]))
        elif line.startswith("Note over "):
            over, text = line.removeprefix("Note over ").split(": ", 1)
            statements.append((over.split(","), None, decoded(text)))
        else:
            start, sign, end, text = re.fullmatch(r"([a-z]+)(-->>|->>|-x)([a-z]+): (.*)", line).groups()
            statements.append(([start, end], sign, decoded(text)))
    return title, names, statements


def understood(answer):
    """The same, as Mermaid understood it: it keeps character codes under other signs."""
    def text(value):
        value = value if isinstance(value, str) else value.get("text", "")
        return re.sub("ﬂ°°(\\d+)¶ß", lambda code: chr(int(code.group(1))), value)

    records = answer["graph_data"]["state"]["records"]
    names = [text(actor["description"]) for actor in records["actors"].values()]
    statements = []
    for message in records["messages"]:
        ends = [message["from"], message["to"]]
        sign = SIGNS.get(message["type"]) if message["type"] != 2 else None
        if sign is None and message["type"] != 2:
            raise SystemExit("a kind of statement that was not meant: %r" % message)
        over = sorted(set(ends), key=ends.index) if sign is None else ends
        statements.append((over, sign, text(message["message"])))
    return text(answer["title"]), names, statements


def main():
    program, bundle, logs = sys.argv[1], sys.argv[2], sys.argv[3:]
    server = driver.http.server.ThreadingHTTPServer(("127.0.0.1", 0), driver.Site)
    server.daemon_threads = True
    driver.threading.Thread(target=server.serve_forever, daemon=True).start()
    site = "http://127.0.0.1:%d" % server.server_address[1]
    script = pathlib.Path(bundle).read_text()
    driver.Site.answers["/parser.js"] = {
        "body": "var module = {exports: {}};" + script, "headers": [["Content-Type", "text/javascript; charset=utf-8"]]}
    driver.Site.answers["/"] = {
        "body": "<!doctype html><meta charset=utf-8><title>-</title><script src=parser.js></script>",
        "headers": [["Content-Type", "text/html; charset=utf-8"]]}
    chromium = driver.Browser()
    count = 0
    try:
        chromium.new_page()
        chromium.open(site + "/", True)
        chromium.wait("typeof parse_mermaid === 'function'", None, 30)

        def parse(source):
            chromium.evaluate("window.source = " + json.dumps(source) + "; undefined")
            return chromium.evaluate(
                "parse_mermaid(source).then((text) => ({answer: text, title: "
                "JSON.parse(text).graph_data.diagramTitle || ''}), (error) => ({error: String(error)}))")

        if "error" not in parse("sequenceDiagram\n    payer->>: x\n"):
            raise SystemExit("the parser takes what is wrong")
        texts = [pathlib.Path(path).read_text() for path in logs]
        texts += ["\n".join(hostile(text)) + "\n" for text in texts]
        for text in texts:
            drawn = subprocess.run([program, "diagram", "-"], input=text.encode(), capture_output=True)
            if drawn.returncode != 0:
                raise SystemExit(drawn.stderr.decode())
            source = drawn.stdout.decode()
            parsed = parse(source)
            if "error" in parsed:
                raise SystemExit(parsed["error"] + "\n" + source)
            answer = json.loads(parsed["answer"])
            answer["title"] = answer["graph_data"]["state"]["records"].get("title") or parsed["title"]
            wanted, found = meant(source), understood(answer)
            # The title is kept by a part of Mermaid that the bundle does not tell of.
            if wanted[1:] != found[1:]:
                for one, other in zip(wanted[2], found[2]):
                    if one != other:
                        print("meant      %r\nunderstood %r" % (one, other))
                raise SystemExit("Mermaid understood something else\n" + source)
            count += len(found[2])
    finally:
        chromium.end()
    print("%d diagrams, %d statements: Mermaid understood what was meant" % (len(texts), count))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs programs on pseudo-terminals and tells what of their output a terminal would obey.

    hostile_terminal.py < runs.json > findings.json

The runs are a JSON list of objects: "argv", and where somebody types, "keys"; "draws" where the
screen is drawn upon. The output may have: characters that are shown, ends of lines, tabulators, and
the program's own colours. The findings are a list of objects: "argv", "status", "bytes", and
"found": a list of everything else, each with what precedes it. A colour that is followed by "ZQ"
came from the input, for no colour begins there. Standard library only.
"""
import fcntl
import json
import os
import pty
import re
import struct
import sys
import termios
import unicodedata

OWN = re.compile(r"\x1b\[(?:0|1|2|31|32|33|35|36)m(?!ZQ)")
DRAWN = re.compile(r"\x1b\[(?:H|K|J|\?25[hl]|\?1049[hl])|\r(?!\n)")


def run(argv, keys):
    pid, master = pty.fork()
    if pid == 0:
        try:
            os.execvp(argv[0], argv)
        finally:
            os._exit(127)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    output, typed = b"", False
    while True:
        # Keys are typed once the screen is drawn: before, the terminal would echo them itself.
        if keys and not typed and b"\x1b[J" in output:
            typed = True
            os.write(master, keys.encode())
        try:
            more = os.read(master, 65536)
        except OSError:
            break
        if not more:
            break
        output += more
    _, status = os.waitpid(pid, 0)
    os.close(master)
    return output, os.waitstatus_to_exitcode(status)


def steers(char):
    return unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs") and char not in "\n\t"


def findings(output, draws):
    text = output.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    text = OWN.sub("", text)
    if draws:
        text = DRAWN.sub("", text)
    return [
        f"U+{ord(text[place]):04X} behind {ascii(text[max(0, place - 40):place])}"
        for place in range(len(text)) if steers(text[place])
    ]


def main():
    results = []
    for step in json.load(sys.stdin):
        output, status = run(step["argv"], step.get("keys"))
        found = findings(output, step.get("draws", False))
        results.append({
            "argv": step["argv"], "status": status, "bytes": len(output), "found": found[:5],
        })
    json.dump(results, sys.stdout)


main()

#!/usr/bin/env python3
"""Types into a shell on a pseudo-terminal, presses the tab key, and waits for a text on the screen.

  type_tab.py LINE WANTED SHELL…

Exits 0 as soon as WANTED is on the screen, 1 when it is not within two minutes.
"""
import os, pty, re, select, sys, time

line, wanted, shell = sys.argv[1], sys.argv[2], sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    os.execvp(shell[0], shell)
seen, typed, end = b"", False, time.monotonic() + 120
while time.monotonic() < end:
    if select.select([terminal], [], [], 0.1)[0]:
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        seen += data
        # What a terminal is asked for, it answers; fish waits for that.
        if b"\x1b[c" in data or b"\x1b[0c" in data:
            os.write(terminal, b"\x1b[?62c")
        if b"\x1b[6n" in data:
            os.write(terminal, b"\x1b[1;1R")
    plain = re.sub(r"\x1b(\[[0-9;?<>=]*[a-zA-Z]|[()][A-Z0-9]|\][^\x07]*\x07|[=>])", "", seen.decode(errors="replace"))
    if not typed and "READY" in plain:
        os.write(terminal, line.encode() + b"\t")
        typed, seen = True, b""
    elif typed and wanted in plain:
        os.kill(child, 9)
        sys.exit(0)
os.kill(child, 9)
print(repr(seen.decode(errors="replace")), file=sys.stderr)
sys.exit(1)

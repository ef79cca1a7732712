#!/usr/bin/env python3
"""Plays a user: runs a program on a pseudo-terminal, types, and reports what the screen shows.

    terminal.py COMMAND… < steps.json

The steps are a JSON list, each an object with one member: "type" (text to type), "see" (wait until
the screen shows this text), "gone" (wait until it does not), "size" ([columns, rows]), "signal" (a
name, to the program), "stopped" (wait until it stands still), "snap" (a name: keep the screen),
"pause" (seconds). The result is a JSON object: "snaps" (name → lines), "screen", "status", "raw"
(all bytes), "restored" (whether the terminal is set as before), "restoredWhenStopped".

Only what the program uses of a terminal is understood. Standard library only; Linux.
"""
import codecs
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

PATIENCE = 20.0


class Screen:
    """The few escape sequences that the program writes."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [""] * rows
        self.other = None
        self.row = self.column = 0
        self.cursor = True
        self.rest = ""

    def take(self, text):
        text = self.rest + text
        self.rest = ""
        while text:
            if text[0] == "\x1b":
                match = re.match(r"\x1b\[([?0-9;]*)([A-Za-z])", text)
                if not match:
                    self.rest = text
                    return
                self.escape(*match.groups())
                text = text[match.end():]
                continue
            char, text = text[0], text[1:]
            if char == "\r":
                self.column = 0
            elif char == "\n":
                self.row = min(self.row + 1, self.rows - 1)
            elif char >= " ":
                line = self.lines[self.row].ljust(self.column)
                self.lines[self.row] = line[:self.column] + char + line[self.column + 1:]
                self.column = min(self.column + 1, self.columns)

    def escape(self, parameter, letter):
        if letter == "H":
            self.row = self.column = 0
        elif letter == "K":
            self.lines[self.row] = self.lines[self.row][:self.column]
        elif letter == "J":
            self.lines[self.row] = self.lines[self.row][:self.column]
            for row in range(self.row + 1, self.rows):
                self.lines[row] = ""
        elif parameter == "?1049":
            if letter == "h":
                self.other = self.lines
                self.lines = [""] * self.rows
            else:
                self.lines = (self.other or self.lines)[:self.rows]
        elif parameter == "?25":
            self.cursor = letter == "h"

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [line[:columns] for line in (self.lines + [""] * rows)[:rows]]
        self.row, self.column = min(self.row, rows - 1), min(self.column, columns)

    def shown(self):
        return [line.rstrip() for line in self.lines]


def lead(command, report):
    """Leads the terminal's session, as a shell does: starts the program in a foreground group."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.close(report)
        os.execvp(command[0], command)
    os.write(report, f"pid {child}\n".encode())
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.write(report, b"stopped\n")
            continue
        code = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        os.write(report, f"status {code}\n".encode())
        # The terminal stays until it was looked at.
        time.sleep(1)
        os._exit(0)


class Terminal:
    def __init__(self, command, columns=100, rows=24):
        reading, writing = os.pipe()
        self.screen = Screen(columns, rows)
        pid, self.master = pty.fork()
        if pid == 0:
            os.close(reading)
            time.sleep(0.05)
            lead(command, writing)
        os.close(writing)
        self.report, self.raw, self.notes = reading, b"", b""
        # A character may come in two pieces.
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.size(columns, rows)
        self.before = termios.tcgetattr(self.master)

    def size(self, columns, rows):
        self.screen.resize(columns, rows)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def look(self, seconds):
        ready, _, _ = select.select([self.master, self.report], [], [], seconds)
        if self.report in ready:
            self.notes += os.read(self.report, 4096)
        if self.master in ready:
            try:
                more = os.read(self.master, 65536)
            except OSError:
                more = b""
            self.raw += more
            self.screen.take(self.decoder.decode(more))
            return bool(more)
        return False

    def wait(self, what, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                lines = "\n".join(self.screen.shown())
                sys.exit(f"waited in vain for {what}; the screen shows:\n{lines}\n{self.notes}")
            self.look(0.05)

    def note(self, name):
        return [line.split()[1] for line in self.notes.decode().splitlines()
                if line.startswith(name + " ")]

    def settings(self):
        return termios.tcgetattr(self.master) == self.before


def main():
    steps = json.load(sys.stdin)
    terminal = Terminal(sys.argv[1:])
    terminal.wait("the program", lambda: terminal.note("pid"))
    child = int(terminal.note("pid")[0])
    snaps, when_stopped, stops = {}, None, 0
    for step in steps:
        (kind, value), = step.items()
        if kind == "type":
            os.write(terminal.master, value.encode())
        elif kind == "see":
            terminal.wait(repr(value), lambda: value in "\n".join(terminal.screen.shown()))
        elif kind == "gone":
            terminal.wait("no " + repr(value),
                          lambda: value not in "\n".join(terminal.screen.shown()))
        elif kind == "size":
            terminal.size(*value)
        elif kind == "signal":
            os.kill(child, getattr(signal, "SIG" + value))
        elif kind == "stopped":
            stops += 1
            terminal.wait("standing still", lambda: terminal.notes.count(b"stopped") >= stops)
            when_stopped = terminal.settings() and when_stopped is not False
        elif kind == "pause":
            end = time.monotonic() + value
            while time.monotonic() < end:
                terminal.look(0.02)
        elif kind == "snap":
            # The rest of what is being drawn.
            while terminal.look(0.15):
                pass
            snaps[value] = terminal.screen.shown()
        else:
            sys.exit(f"no such step: {kind}")
    terminal.wait("the end", lambda: terminal.note("status"))
    restored = terminal.settings()
    for _ in range(5):
        terminal.look(0.02)
    json.dump({
        "snaps": snaps, "screen": terminal.screen.shown(), "cursor": terminal.screen.cursor,
        "status": int(terminal.note("status")[0]), "raw": terminal.raw.decode("utf-8", "replace"),
        "restored": restored, "restoredWhenStopped": when_stopped,
    }, sys.stdout)


main()

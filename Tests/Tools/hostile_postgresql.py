"""Runs a program against a server that speaks PostgreSQL's protocol, but not as the protocol says.

    hostile_postgresql.py PROGRAM KIND [--unix] ARGUMENT…

KIND is what the server does once there is a connection: copy and copy-in begin a COPY that was not
asked for, early ends an answer too soon, more answers more than was asked, rows and unasked send
without end, greeting does so before the connection is open, silent says nothing. Prints the status
of the program, the seconds that it took, its most memory in MiB and its diagnostics, as JSON.
"""
import json
import os
import resource
import socket
import struct
import subprocess
import sys
import threading
import time


def message(letter, body=b""):
    return letter + struct.pack("!I", len(body) + 4) + body


READY = message(b"Z", b"I")
PARSED, BOUND = message(b"1"), message(b"2")
COLUMN = message(b"T", struct.pack("!H", 1) + b"a\0" + struct.pack("!IHIhih", 0, 0, 25, -1, -1, 1))
DONE = message(b"C", b"SELECT 0\0")
ROW = message(b"D", struct.pack("!HI", 1, 60000) + b"x" * 60000)
STARTED = {
    "copy": PARSED + BOUND + message(b"H", b"\0\0\0"),
    "copy-in": PARSED + BOUND + message(b"G", b"\0\0\0"),
    "early": PARSED + READY * 8,
    "more": (PARSED + BOUND + COLUMN + DONE) * 9 + READY,
    "rows": PARSED + BOUND + COLUMN,
}
ENDLESS = {
    "rows": ROW * 16,
    "unasked": message(b"A", b"\0\0\0\1a\0b\0") * 1000,
    "greeting": message(b"N", b"SNOTE\0\0") * 1000,
}


def serve(link, kind):
    size, = struct.unpack("!I", link.recv(4))
    if link.recv(size - 4) == struct.pack("!I", 80877103):  # a request for encryption
        link.sendall(b"N")
        return serve(link, kind)
    link.sendall(message(b"R", struct.pack("!I", 0)))
    if kind != "greeting":
        link.sendall(READY)
        if kind != "silent":
            link.recv(1 << 16)
    link.sendall(STARTED.get(kind, b""))
    while kind in ENDLESS:
        link.sendall(ENDLESS[kind])
    time.sleep(60)


def handle(link, kind):
    try:
        serve(link, kind)
    except (OSError, struct.error):  # The program has gone.
        pass


def listen(kind, is_local):
    """Starts the server; the address of its store."""
    listener = socket.socket(socket.AF_UNIX if is_local else socket.AF_INET)
    listener.bind(".s.PGSQL.5432" if is_local else ("127.0.0.1", 0))
    listener.listen(16)

    def accept():
        while True:
            threading.Thread(target=handle, args=(listener.accept()[0], kind), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    if is_local:
        return "postgres://u@/base?host=" + os.getcwd().replace("/", "%2F")
    return f"postgres://u@127.0.0.1:{listener.getsockname()[1]}/base?sslmode=disable"


def main():
    program, kind, words = sys.argv[1], sys.argv[2], sys.argv[3:]
    store = listen(kind, "--unix" in words)
    words = [word for word in words if word != "--unix"]
    began = time.monotonic()
    done = subprocess.run(["timeout", "-k", "1", "45", program, "--store", store, *words],
                          capture_output=True, text=True)
    print(json.dumps({
        "status": done.returncode, "seconds": int(time.monotonic() - began),
        "most": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10, "words": done.stderr,
    }))


if __name__ == "__main__":
    main()

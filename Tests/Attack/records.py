"""Attacks that write to the store's file, supply logs, or pretend to be the store's server."""
import json
import os
import socketserver
import sqlite3
import struct
import subprocess

from world import RawServer, attack, expect

REFUND = '{"amount":10000,"description":"Refund","kind":"reversal","payeeReference":"FORGED1","vatAmount":2000}'


def forged(world, how, *more):
    """Forges the log of a new session; then nothing is done for it, and verifying names it."""
    base = world.sandbox()
    session = world.session(base)
    world.tool("forger.py", how, world.store, session, *more)
    before = world.ledger(base)["entries"]
    for command in (["resume", session], ["attempt", session, "swish"], ["note", session, "seen"]):
        status, _, diagnostics = world.run(*command)
        expect(status == 65 and "log.not-authentic" in diagnostics, f"{command[0]}: {status}")
    expect(world.ledger(base)["entries"] == before, "the PSP was asked for something")
    status, output, _ = world.run("verify", "--json")
    expect(status == 65 and "not-authentic" in output, "verify says nothing of it")


@attack("forged-refund", "append a refund to a log, chained as any reader expects it")
def forged_refund(world):
    forged(world, "append", "transactionRequested", REFUND)


@attack("forged-cut", "cut the newest record off a log and off the index")
def forged_cut(world):
    forged(world, "cut")


@attack("forged-strip", "pass a log off as one of the time before records were signed")
def forged_strip(world):
    forged(world, "strip")


@attack("forged-change", "change the text of a record and chain all after it anew")
def forged_change(world):
    forged(world, "change", "1", '"cause":"command.open"', '"cause":"command.oben"')


@attack("forged-import", "hand in a longer log of a session of the store")
def forged_import(world):
    base = world.sandbox()
    session = world.session(base)
    world.run("export", "-o", "public.ndjson")
    longer = world.tool("forger.py", "extend", world.folder + "/public.ndjson", session,
                        "transactionRequested", REFUND)
    with open(world.folder + "/forged.ndjson", "w") as file:
        file.write(longer)
    before = world.run("log", session)[1]
    status, _, diagnostics = world.run("import", "forged.ndjson")
    expect(status == 65 and "import.own-session" in diagnostics, f"import ended with {status}")
    expect(world.run("log", session)[1] == before, "the log is another one")
    other = "sqlite:" + world.folder + "/other.db"
    world.run("--store", other, "import", "forged.ndjson")
    status, _, diagnostics = world.run("--store", other, "resume", session)
    expect(status == 1 and "session.imported" in diagnostics, "an imported session is driven")


@attack("open-key-file", "let everybody read the file of the master key")
def open_key_file(world):
    import os
    session = world.session(world.sandbox())
    os.chmod(world.store + ".key", 0o644)
    status, _, diagnostics = world.run("resume", session)
    expect(status == 78 and "vault.insecure-permissions" in diagnostics, f"resume: {status}")


@attack("sealed-values", "look for the session's address in the store, an export and all output")
def sealed_values(world):
    base = world.sandbox()
    address = world.order(base)
    secret = address.split("paymentsessions/")[1].split("?")[0]
    said = "".join(world.run("open", address)[1:])
    session = json.loads(world.run("--json", "list")[1])[0]["session"]
    world.run("export", "-o", "export.ndjson")
    for command in (["show", session], ["log", session], ["log", session, "--json"], ["verify"],
                    ["explain", session], ["diagram", session]):
        said += "".join(world.run(*command)[1:])
    expect(secret not in said, "a command says it")
    for name in ("payments.db", "payments.db-wal", "export.ndjson"):
        try:
            with open(f"{world.folder}/{name}", "rb") as file:
                expect(secret.encode() not in file.read(), f"{name} has it")
        except FileNotFoundError:
            pass


class CleartextPassword(socketserver.BaseRequestHandler):
    """Plays a PostgreSQL server without TLS that asks for the password as it is."""
    passwords = []

    def handle(self):
        while True:
            head = self.request.recv(4)
            if len(head) < 4:
                return
            body = self.request.recv(struct.unpack("!I", head)[0] - 4)
            code = struct.unpack("!I", body[:4])[0]
            if code in (80877103, 80877104):  # TLS, GSSAPI: neither is offered.
                self.request.sendall(b"N")
                continue
            break
        self.request.sendall(b"R" + struct.pack("!II", 8, 3))
        if self.request.recv(1) == b"p":
            length = struct.unpack("!I", self.request.recv(4))[0] - 4
            self.passwords.append(self.request.recv(length))


@attack("cleartext-password", "play a PostgreSQL server that asks for the password in clear text")
def cleartext_password(world):
    CleartextPassword.passwords.clear()
    port = world.listen(RawServer, CleartextPassword)
    # 0.0.0.0 leads to this machine and is none of its loopback: it stands for another machine.
    url = f"postgres://app:canary-password@0.0.0.0:{port}/payments?sslmode=disable"
    status, _, _ = world.run("--store", url, "list")
    expect(status != 0, "the program took it for a store")
    expect(CleartextPassword.passwords == [], "the password left in clear text")


@attack("planted-trigger", "plant a trigger that copies records out of the store")
def planted_trigger(world):
    base = world.sandbox()
    session = world.session(base)
    store = sqlite3.connect(world.store)
    store.execute("CREATE TABLE stolen (record BLOB)")
    store.execute("CREATE TRIGGER planted AFTER INSERT ON events BEGIN "
                  "INSERT INTO stolen VALUES (NEW.record); END")
    store.commit()
    store.close()
    world.run("attempt", session, "swish")
    store = sqlite3.connect(world.store)
    copied = store.execute("SELECT count(*) FROM stolen").fetchone()[0]
    store.close()
    expect(copied == 0, "the trigger ran")


@attack("lease-file", "delete the lease file while a process drives a session")
def lease_file(world):
    base = world.sandbox()
    session = world.session(base)
    holder = subprocess.Popen(
        [world.program, "--allow-insecure-loopback", "attempt", session, "swish", "--until",
         "ended", "--wait", "60s"],
        cwd=world.folder, env=world.environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    )
    world.children.append(holder)
    while "externalAppRequested" not in world.run("log", session)[1]:
        pass
    leases = world.store + "-leases"
    expect(os.path.exists(leases), "there is no lease file to delete")
    os.unlink(leases)
    # Whoever comes next gets the lease of the new file, and the first one must not go on.
    status, _, diagnostics = world.run("abort", session)
    expect(status == 0, f"nobody can drive the session: {diagnostics}")
    before = world.run("log", session, "--json")[1]
    holder.wait(timeout=90)
    after = world.run("log", session, "--json")[1]
    expect(before == after, "the first process went on writing")
    orders = world.ledger(base)["orders"]
    expect([len(order["attempts"]) for order in orders] == [1], "the payment was started twice")

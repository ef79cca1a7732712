"""Attacks with stores: older ones, copies, files beside them, and what they hand on."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

from records import REFUND
from world import attack, expect

OWNER = 65534
WRITTEN = ("-wal", "-shm")


def kept(world, name):
    """A copy of the store's files, without what is remembered beside it."""
    folder = os.path.join(world.folder, name)
    os.mkdir(folder)
    for file in ("payments.db", *("payments.db" + end for end in WRITTEN), "payments.db.key"):
        if os.path.exists(os.path.join(world.folder, file)):
            shutil.copy(os.path.join(world.folder, file), folder)
    return folder


def unsent(world, base, session, *more):
    """Nothing is asked of the PSP before a person says that the store is the one that lives."""
    before = world.ledger(base)["entries"]
    for command in (["attempt", session, "swish"], ["abort", session], ["open", "-"]):
        address = world.order(base) if command[0] == "open" else None
        words = ["open", address] if address else command
        before = world.ledger(base)["entries"] if address else before
        status, _, diagnostics = world.run(*more, *words)
        expect(status == 1 and "store.not-adopted" in diagnostics, f"{words[0]}: {status} {diagnostics}")
        expect(world.ledger(base)["entries"] == before, f"{words[0]}: the PSP was asked for something")


@attack("restored-store", "put the store back to what it was before a payment")
def restored_store(world):
    base = world.sandbox()
    session = world.session(base)
    old = kept(world, "backup")
    world.document("attempt", session, "swish", "--wait", "2s")
    for end in WRITTEN:
        if os.path.exists(world.store + end):
            os.unlink(world.store + end)
    for file in os.listdir(old):
        shutil.copy(os.path.join(old, file), world.folder)
    unsent(world, base, session)
    expect([len(order["attempts"]) for order in world.ledger(base)["orders"]][:1] == [1], "paid twice")


@attack("cloned-store", "go on with a copy of the store and its key on another machine")
def cloned_store(world):
    base = world.sandbox()
    session = world.session(base)
    copy = os.path.join(kept(world, "clone"), "payments.db")
    unsent(world, base, session, "--store", "sqlite:" + copy)


@attack("moved-store", "let two stores drive a session: move one where a copy of it is, and twice")
def moved_store(world):
    base = world.sandbox()
    session = world.session(base)
    world.run("store", "copy", "sqlite:copy.db")
    expect(world.run("store", "copy", "sqlite:copy.db", "--move")[0] == 1, "it was moved onto its copy")
    expect(world.run("store", "copy", "sqlite:moved.db", "--move")[0] == 0, "it was not moved at all")
    expect(world.run("store", "copy", "sqlite:second.db", "--move")[0] == 1, "it was moved twice")
    before = world.ledger(base)["entries"]
    for store in ("payments.db", "copy.db"):
        key = {"WORKFLOWCTL_KEY_FILE": world.store + ".key"}
        status, _, _ = world.run("--store", "sqlite:" + store, "attempt", session, "swish", **key)
        expect(status == 1, f"{store} drives it: {status}")
    expect(world.ledger(base)["entries"] == before, "the PSP was asked for something")


@attack("copy-mark", "take the mark away that a session of a copied store is a copy")
def copy_mark(world):
    base = world.sandbox()
    session = world.session(base)
    world.run("store", "copy", "sqlite:copy.db")
    store = sqlite3.connect(world.folder + "/copy.db")
    store.execute("UPDATE sessions SET imported = 0")
    store.execute("UPDATE listed_sessions SET imported = 0")
    store.commit()
    store.close()
    before = world.ledger(base)["entries"]
    key = {"WORKFLOWCTL_KEY_FILE": world.store + ".key"}
    for command in ("attempt", "abort"):
        words = [command, session] + (["swish"] if command == "attempt" else [])
        status, _, _ = world.run("--store", "sqlite:copy.db", *words, **key)
        expect(status == 65, f"{command}: {status}")
    expect(world.ledger(base)["entries"] == before, "the PSP was asked for something")


@attack("forged-copy", "hand in a store that has a longer log, and says that it is its own")
def forged_copy(world):
    session = world.session(world.sandbox())
    world.run("export", "-o", "public.ndjson")
    with open(world.folder + "/forged.ndjson", "w") as file:
        file.write(world.tool("forger.py", "extend", world.folder + "/public.ndjson", session,
                              "transactionRequested", REFUND))
    before = world.run("log", session)[1]
    world.run("--store", "sqlite:evil.db", "import", "forged.ndjson")
    store = sqlite3.connect(world.folder + "/evil.db")
    store.execute("UPDATE sessions SET imported = 0")
    store.execute("UPDATE listed_sessions SET imported = 0")
    store.commit()
    store.close()
    for move in ([], ["--move"]):
        status, _, _ = world.run("--store", "sqlite:evil.db", "store", "copy", "sqlite:payments.db", *move)
        expect(status != 0, "it was taken in")
    expect(world.run("log", session)[1] == before, "the log is another one")


@attack("forged-meanwhile", "hand in a longer log while another process drives the session")
def forged_meanwhile(world):
    base = world.sandbox()
    session = world.session(base)
    holder = subprocess.Popen(
        [world.program, "--allow-insecure-loopback", "attempt", session, "swish", "--until", "ended",
         "--wait", "8s"], cwd=world.folder, env=world.environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    world.children.append(holder)
    while "externalAppRequested" not in world.run("log", session)[1]:
        pass
    world.run("export", "-o", "public.ndjson")
    with open(world.folder + "/forged.ndjson", "w") as file:
        file.write(world.tool("forger.py", "extend", world.folder + "/public.ndjson", session,
                              "transactionRequested", REFUND))
    status, _, _ = world.run("import", "forged.ndjson")
    expect(status == 65, f"import ended with {status}")
    holder.wait(timeout=60)
    expect("transactionRequested" not in world.run("log", session)[1], "the log has the record")
    expect(world.run("verify")[0] == 0, "the log is not sound any more")


@attack("forged-checkpoint", "let a checkpoint vouch for a forged log, and take checkpoints away")
def forged_checkpoint(world):
    session = world.session(world.sandbox())
    expect(world.run("checkpoint", "create")[0] == 0, "an honest log gets none")
    store = sqlite3.connect(world.store)
    store.execute("DELETE FROM checkpoints")
    store.execute("DELETE FROM checkpoint_leaves")
    store.commit()
    store.close()
    expect(world.run("verify")[0] == 65, "nobody misses the checkpoints")
    for end in (".checkpoint", ".checkpoint-keys"):
        os.unlink(world.store + end)
    world.tool("forger.py", "append", world.store, session, "transactionRequested", REFUND)
    status, _, _ = world.run("checkpoint", "create")
    expect(status == 65, f"checkpoint create ended with {status}")


@attack("redaction", "look for secrets in a redacted log, and doubt what is left of it")
def redaction(world):
    secrets = ("19850709-9805", "850709+9805", "070/123 45 67", "anna\uff20example.se",
               "NDExMTExMTExMTExMTExMQ==", "4111 1111 1111 1111")
    base = world.sandbox()
    for secret in secrets:
        world.run("open", world.order(base), "--reference", secret, "--metadata", "note=" + secret)
    world.run("export", "--redact", "-o", "redacted.ndjson")
    with open(world.folder + "/redacted.ndjson") as file:
        text = file.read()
    expect('"seals":[]' in text and '"masked"' not in text, "more than the seals was taken away")
    for place, content in (("redacted export", text.encode()),
                           ("store", b"".join(open(world.store + end, "rb").read() for end in ("", "-wal")
                                              if os.path.exists(world.store + end)))):
        for secret in secrets:
            expect(secret.encode() not in content, f"the {place} has {secret}")
    world.tool("verify_chain.py", world.folder + "/redacted.ndjson")
    other = ["--store", "sqlite:" + world.folder + "/other.db"]
    for command in (["verify", "redacted.ndjson"], [*other, "import", "redacted.ndjson"],
                    ["export", "--redact", "--format", "cloudevents", "-o", "events.json"],
                    [*other, "verify"]):
        status, _, diagnostics = world.run(*command)
        expect(status == 0, f"{command}: {status} {diagnostics}")


@attack("numbers", "write a sequence number that two readers take for different ones")
def numbers(world):
    world.session(world.sandbox())
    log = world.run("export")[1]
    for form in ("1.0", "1e0", "1.00000000000000000001", "-0", "01"):
        with open(world.folder + "/numbers.ndjson", "w") as file:
            file.write(log.replace('"seq":1,', f'"seq":{form},'))
        expect(world.run("verify", "numbers.ndjson")[0] == 65, f"verify takes {form}")
        script = subprocess.run(["python3", os.path.join(world.tools, "verify_chain.py"),
                                 world.folder + "/numbers.ndjson"], capture_output=True)
        expect(script.returncode != 0, f"the script takes {form}")


@attack("dropped-record", "plant a trigger that drops the record of each request without a word")
def dropped_record(world):
    base = world.sandbox()
    session = world.session(base)
    store = sqlite3.connect(world.store)
    store.execute("CREATE TRIGGER planted BEFORE INSERT ON events WHEN NEW.type = 'operationStarted' "
                  "BEGIN SELECT RAISE(IGNORE); END")
    store.commit()
    store.close()
    before = world.ledger(base)["entries"]
    status, _, _ = world.run("attempt", session, "swish", "--wait", "3s")
    expect(status == 65, f"attempt ended with {status}")
    expect(world.ledger(base)["entries"] == before, "the request left all the same")
    for command in ("verify", "doctor"):
        expect("trigger" in "".join(world.run(command)[1:]), f"{command} says nothing of it")


@attack("killed-at-once", "kill the engine while the PSP works on a request, and resume at once")
def killed_at_once(world):
    base = world.sandbox()
    host, asked, working = base, [], threading.Event()

    def slow(text):
        if working.is_set():
            asked.append(time.monotonic())
            if len(asked) == 1:
                time.sleep(4)
        return text
    proxy = world.proxy(host, slow)
    session = world.document("open", world.order(base).replace(base, proxy))["session"]
    working.set()
    engine = subprocess.Popen(
        [world.program, "--allow-insecure-loopback", "attempt", session, "swish"], cwd=world.folder,
        env=world.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not asked:
        time.sleep(0.01)
    engine.send_signal(signal.SIGKILL)
    engine.wait()
    killed = time.monotonic()
    world.run("resume", session, "--wait", "2s")
    expect(len(asked) == 1, "it asked again while the PSP was still at work")
    expect(time.monotonic() - killed < 60, "resume did not end")


@attack("foreign-files", "leave a key and a configuration of another user, with a command in it")
def foreign_files(world):
    session = world.session(world.sandbox())
    if os.geteuid() != 0:
        return
    key, configuration = world.folder + "/key", world.folder + "/foreign.json"
    shutil.copy(world.store + ".key", key)
    with open(configuration, "w") as file:
        json.dump({"keys": {"command": f"touch {world.folder}/ran"}}, file)
    for path in (key, configuration):
        os.chmod(path, 0o600)
        os.chown(path, OWNER, OWNER)
    status, _, diagnostics = world.run("resume", session, WORKFLOWCTL_KEY_FILE=key)
    expect(status == 78 and "vault.foreign-owner" in diagnostics, f"resume: {status}")
    expect(world.run("--config", configuration, "resume", session)[0] == 78, "it was read")
    expect(not os.path.exists(world.folder + "/ran"), "its command ran")


@attack("empty-store", "leave an empty file where the store is to be made")
def empty_store(world):
    with open(world.folder + "/empty.db", "w"):
        pass
    status, _, diagnostics = world.run("--store", "sqlite:empty.db", "list")
    expect(status == 65 and "store init" in diagnostics, f"list: {status} {diagnostics}")


@attack("half-open", "open connections to the sandbox and say nothing")
def half_open(world):
    import socket
    base = world.sandbox()
    host, port = base.split("//")[1].split(":")
    held = [socket.create_connection((host, int(port)), timeout=5) for _ in range(600)]
    expect(world.order(base).startswith("http"), "nobody else is served")
    for one in held:
        one.close()

"""Attacks that change rows of the index, and nothing else: rows propose, and records decide."""
import shutil
import sqlite3
import subprocess

from world import attack, expect

YEARS_AHEAD = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
#define AHEAD (10L * 365 * 86400)
int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, at);
    if (clock == CLOCK_REALTIME) at->tv_sec += AHEAD;
    return result;
}
int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"""


def write(world, *statements):
    store = sqlite3.connect(world.store, timeout=10)
    for statement, *values in statements:
        store.execute(statement.replace("turn = 'engine'", "facts = json_set(facts, '$[1]', 'engine')"), values)
        if "UPDATE sessions" in statement:
            store.execute(statement.replace("UPDATE sessions", "UPDATE listed_sessions"), values)
    store.commit()
    store.close()


def swap(world, column, one, two):
    """Gives each of two sessions the other one's value in the index."""
    store = sqlite3.connect(world.store, timeout=10)
    values = {id: store.execute(f"SELECT {column} FROM sessions WHERE id = ?", (id,)).fetchone()[0]
              for id in (one, two)}
    for table in ("sessions", "listed_sessions"):
        for id in (one, two):
            store.execute(f"UPDATE {table} SET {column} = NULL WHERE id = ?", (id,))
        for id, other in ((one, two), (two, one)):
            store.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (values[other], id))
    store.commit()
    store.close()


def refused(world, *command):
    status, output, diagnostics = world.run(*command)
    expect(status == 65 and "log.not-authentic" in diagnostics,
           f"{' '.join(command)}: {status} {output}{diagnostics}")


def has_key(world, session):
    return world.run("show", session, "--reveal")[0] == 0


@attack("swapped-address", "let the index find another session by the URL of an unpaid one")
def swapped_address(world):
    base = world.sandbox()
    addresses = [world.order(base), world.order(base)]
    paid, unpaid = (world.document("open", address)["session"] for address in addresses)
    world.document("attempt", paid, "swish", "--msisdn", "+46739000001", "--until", "ended")
    swap(world, "address_fp", paid, unpaid)
    before = world.ledger(base)["entries"]
    for address in addresses:
        refused(world, "open", address)
    expect(world.ledger(base)["entries"] == before, "the PSP was asked for something")


@attack("swapped-reference", "let the index find another session by a merchant's reference")
def swapped_reference(world):
    base = world.sandbox()
    one, two = (world.document("open", world.order(base), "--reference", name)["session"]
                for name in ("order-1", "order-2"))
    swap(world, "reference", one, two)
    before = world.ledger(base)["entries"]
    for command in (["attempt", "order-1", "swish"], ["abort", "order-2"], ["resume", "order-1"],
                    ["erase", "order-1", "--force", "--reason", "attack"]):
        refused(world, *command)
    expect(world.ledger(base)["entries"] == before, "the PSP was asked for something")
    expect(has_key(world, one) and has_key(world, two), "a key is gone")


@attack("forged-end-row", "let retention destroy the key of a payment in progress")
def forged_end_row(world):
    session = world.session(world.sandbox())
    write(world, ("UPDATE sessions SET phase = 'ended', outcome = 'completed', opened_at = 1, last_at = 2, "
                  "due_at = NULL, settled = 1",))
    refused(world, "retention", "--older-than", "90d", "--apply")
    status, _, _ = world.run("erase", session, "--reason", "attack")
    expect(status == 1, f"erase ended with {status}")
    expect(has_key(world, session), "its key is gone")


@attack("forged-end-time", "let a payment of today look old by the time beside its last record")
def forged_end_time(world):
    session = world.session(world.sandbox())
    expect(world.run("abort", session)[0] == 0, "it was not aborted")
    write(world, ("UPDATE sessions SET opened_at = 1",), ("UPDATE events SET at = 2",))
    refused(world, "retention", "--older-than", "90d", "--apply")
    expect(has_key(world, session), "its key is gone")


@attack("forgotten-row", "let every engine forget a payment, and nobody notice")
def forgotten_row(world):
    base = world.sandbox()
    for forgery in ("due_at = NULL", "due_at = 33000000000000000", "due_at = NULL, imported = 1"):
        session = world.session(base)
        world.document("attempt", session, "swish", "--msisdn", "+46739000001", "--wait", "0s")
        write(world, (f"UPDATE sessions SET {forgery}, turn = 'engine' WHERE id = ?", session))
        expect(world.run("verify")[0] == 65, f"{forgery}: verify says nothing of it")
        expect(world.run("doctor", "--check", "sessions")[0] == 1, f"{forgery}: doctor says nothing of it")
        expect("without_due_time 1\n" in world.run("metrics")[1], f"{forgery}: no metric says it")
        world.run("store", "reproject", "--rebuild")
        expect(world.run("verify")[0] == 0, f"{forgery}: it cannot be corrected")


@attack("stated-end", "cut a log, and let its row state an end without a MAC")
def stated_end(world):
    base = world.sandbox()
    ends = ("last_seq = 0, head_mac = NULL", "last_seq = 1")
    sessions = [world.session(base) for _ in ends]
    key = "(SELECT key FROM sessions WHERE id = ?)"
    for row, session in zip(ends, sessions):
        write(world, (f"DELETE FROM events WHERE session = {key} AND seq = "
                      f"(SELECT max(seq) FROM events WHERE session = {key})", session, session),
              (f"UPDATE sessions SET {row} WHERE id = ?", session))
    before = world.ledger(base)["entries"]
    for session in sessions:
        refused(world, "attempt", session, "swish")
    expect(world.ledger(base)["entries"] == before, "the PSP was asked for something")


@attack("changed-beside-hash", "change the bytes of a record, and leave its hash and MAC as they are")
def changed_beside_hash(world):
    base = world.sandbox()
    session = world.session(base)
    write(world, ("UPDATE events SET record = CAST(replace(CAST(record AS TEXT), 'Swish', 'Swosh') AS BLOB) "
                  "WHERE type = 'methodsOffered'",))
    before = world.ledger(base)["entries"]
    status, _, _ = world.run("attempt", session, "swish")
    expect(status == 65, f"attempt ended with {status}")
    expect(world.ledger(base)["entries"] == before, "the PSP was asked for something")


@attack("clock-ahead", "let retention run by a clock that is ten years ahead")
def clock_ahead(world):
    base = world.sandbox()
    sessions = [world.session(base) for _ in range(3)]
    for session in sessions:
        expect(world.run("abort", session)[0] == 0, "it was not aborted")
    compiler = shutil.which("cc")
    assert compiler, "a C compiler is needed to set the clock"
    source, library = world.folder + "/clock.c", world.folder + "/clock.so"
    with open(source, "w") as file:
        file.write(YEARS_AHEAD)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    ahead = {"LD_PRELOAD": library}
    listed = world.run("retention", "--older-than", "90d", **ahead)[1]
    expect(all(session in listed for session in sessions), "the clock is not ahead")
    status, _, diagnostics = world.run("retention", "--older-than", "90d", "--apply", **ahead)
    expect(status == 1 and "retention.clock-ahead" in diagnostics, f"{status} {diagnostics}")
    expect(all(has_key(world, session) for session in sessions), "a key is gone")


@attack("everything-at-once", "let retention erase everything by a period that is far too short")
def everything_at_once(world):
    base = world.sandbox()
    sessions = [world.session(base) for _ in range(11)]
    for session in sessions:
        expect(world.run("abort", session)[0] == 0, "it was not aborted")
    status, _, diagnostics = world.run("retention", "--older-than", "1ms", "--apply")
    expect(status == 1 and "retention.too-many" in diagnostics, f"{status} {diagnostics}")
    expect(all(has_key(world, session) for session in sessions), "a key is gone")

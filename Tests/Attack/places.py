"""Attacks with names, with what lies beside a store, and with the server of a store."""
import json
import os
import signal
import socket
import subprocess
import time

from world import attack, expect

OWNER = 65534
JOINING = "\u0301"


def ends(world, *words, within=20, **options):
    """Runs the program, which has to end by itself; (status, diagnostics)."""
    try:
        done = subprocess.run(
            [world.program, "--allow-insecure-loopback", *words], capture_output=True, text=True,
            cwd=world.folder, env=world.environment, timeout=within, stdin=subprocess.DEVNULL,
            **options)
    except subprocess.TimeoutExpired:
        expect(False, f"{words} did not end")
    return done.returncode, done.stderr


@attack("pasted-command", "name a folder so that a command that is pasted runs another one")
def pasted_command(world):
    folder = os.path.join(world.folder, f"case'{JOINING};touch PWNED;'")
    os.mkdir(folder)
    address = world.order(world.sandbox())
    status, output, _ = world.run("--store", f"sqlite:{folder}/payments.db", "open", address)
    expect(status == 0 and "--store" in output, f"open: {status}")
    for line in output.splitlines():
        if "--store" in line:
            words = line[line.find("workflowctl"):].replace("workflowctl", "echo", 1)
            subprocess.run(["sh", "-c", words], cwd=world.folder, capture_output=True)
    expect(not os.path.exists(world.folder + "/PWNED"), "it ran")


@attack("granted-role", "name a role so that the SQL of its rights makes a superuser")
def granted_role(world):
    role = f'x"{JOINING}; ALTER ROLE x SUPERUSER; --'
    status, output, _ = world.run("store", "grants", role)
    expect(status == 0, f"grants: {status}")
    for line in output.splitlines():
        expect(line.count('"') % 2 == 0 and f'"x""{JOINING};' in line, line)


@attack("pipes-beside", "put named pipes and links beside the store")
def pipes_beside(world):
    session = world.session(world.sandbox())
    expect(world.run("checkpoint", "create")[0] == 0, "no checkpoint")
    for end, words in (
        (".key", ("show", session, "--reveal", "--reason", "x")), (".checkpoint", ("verify",)),
        (".checkpoint-keys", ("checkpoint", "verify")), ("-leases", ("abort", session)),
        ("-journal", ("list",)),
    ):
        path = world.store + end
        kept = os.path.exists(path) and not os.rename(path, path + ".kept")
        os.mkfifo(path, 0o600)
        status, words = ends(world, *words)
        expect(status not in (0, 70) and "not a regular file" in words, f"{end}: {status} {words}")
        os.unlink(path)
        if kept:
            os.rename(path + ".kept", path)
    if os.path.exists(world.store + "-leases"):
        os.unlink(world.store + "-leases")
    os.symlink(world.folder + "/elsewhere", world.store + "-leases")
    ends(world, "abort", session)
    expect(not os.path.exists(world.folder + "/elsewhere"), "the link was followed")


@attack("foreign-store", "put the store of another user where ours is looked for")
def foreign_store(world):
    world.session(world.sandbox())
    if os.geteuid() != 0:
        return
    os.chown(world.store, OWNER, OWNER)
    status, words = ends(world, "list")
    expect(status == 69 and "another user" in words, f"list: {status} {words}")


@attack("endless-files", "have devices, folders and files of the kernel read")
def endless_files(world):
    world.session(world.sandbox())
    for path in ("/dev/zero", "/dev/urandom", "/proc/kcore", "/proc/kmsg", "/"):
        for command in ("verify", "import"):
            status, words = ends(world, command, path)
            expect(status in (64, 65, 66, 69), f"{command} {path}: {status} {words}")


@attack("output-device", "have a device or a link replaced by the output of a command")
def output_device(world):
    session = world.session(world.sandbox())
    with open(world.folder + "/target", "w"):
        pass
    os.symlink("target", world.folder + "/link")
    os.mkfifo(world.folder + "/pipe")
    devices = []
    if os.geteuid() == 0:  # A device of our own: that of the machine is needed.
        os.mknod(world.folder + "/null", 0o20600, os.makedev(1, 3))
        devices.append("null")
    reader = subprocess.Popen(["cat", "pipe"], cwd=world.folder, stdout=subprocess.DEVNULL)
    for path in ("link", "pipe", *devices):
        status, words = ends(world, "export", session, "-o", path)
        expect(status == 0, f"{path}: {status} {words}")
    expect(os.path.islink(world.folder + "/link"), "the link was replaced")
    expect(os.path.getsize(world.folder + "/target") > 0, "nothing is where the link leads")
    for path in devices:
        expect(not os.path.isfile(os.path.join(world.folder, path)), "the device is a file now")
    reader.wait(10)


@attack("hostile-postgresql", "answer a store's statements with COPY, too much, too little, silence")
def hostile_postgresql(world):
    for words in (["copy"], ["copy-in"], ["early"], ["more"], ["rows"], ["rows", "--unix"],
                  ["unasked"], ["greeting"], ["silent", "--wait", "2s"]):
        output = world.tool("hostile_postgresql.py", world.program, *words, "list")
        found = json.loads(output)
        expect(found["status"] == 69 and found["seconds"] < 40, f"{words}: {found}")
        expect(found["most"] < 1100, f"{words}: {found['most']} MiB")


@attack("encoded-password", "have a password of a store printed that only libpq recognises")
def encoded_password(world):
    for store in ("postgres://u@127.0.0.1:1/d?p%61ssword=SECRET", "postgres://u:SECRET?x@127.0.0.1:1/d"):
        for words in (("store", "status"), ("doctor",), ("config", "show"), ("list",)):
            _, output, diagnostics = world.run("--wait", "1s", *words, WORKFLOWCTL_STORE=store)
            expect("SECRET" not in output + diagnostics, f"{words}: {output}{diagnostics}")


@attack("own-second-person", "confirm a finding oneself, under another spelling of one's name")
def own_second_person(world):
    session = world.session(world.sandbox())
    for name in ("Anna", " anna ", "anna@office", "\uff41nna", "\u0430nna", "\u00e1nna"):
        status, _, words = world.run(
            "--by", "anna", "resolve", session, "--paid", "--evidence", "admin", "--second-person", name)
        expect(status == 64 and "second-person" in words, f"{name}: {status} {words}")


@attack("slow-body", "send the sandbox the head of a request, and its body byte by byte")
def slow_body(world):
    child = subprocess.Popen(
        [world.program, "sandbox", "--port", "0", "--json"], stdout=subprocess.PIPE, text=True,
        cwd=world.folder, env=world.environment)
    world.children.append(child)
    host, port = json.loads(child.stdout.readline())["baseURL"].split("//")[1].split(":")
    link = socket.create_connection((host, int(port)), timeout=90)
    link.sendall(b"POST /psp/paymentorders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                 b"Content-Length: 9000\r\n\r\n")
    began = time.monotonic()
    while time.monotonic() - began < 80:
        try:
            link.sendall(b" ")
        except OSError:
            return
        time.sleep(1)
    expect(False, "it waits for ever")


@attack("waiting-reader", "keep a command that reads a pipe from ending at a signal")
def waiting_reader(world):
    os.mkfifo(world.folder + "/pipe")
    child = subprocess.Popen(
        [world.program, "verify", "pipe"], cwd=world.folder, env=world.environment,
        stderr=subprocess.DEVNULL)
    time.sleep(1)
    child.send_signal(signal.SIGTERM)
    try:
        child.wait(15)
    except subprocess.TimeoutExpired:
        child.kill()
        expect(False, "it does not end")

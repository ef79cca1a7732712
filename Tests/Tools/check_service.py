"""Checks the service from outside, against its OpenAPI document: python3 check_service.py PROGRAM

It starts the program's sandbox and service, and makes payments in every state. Then it validates
the document, tries who may call what, checks the metrics, pays with clients that are generated from
the document, buys in the example shop with a browser, has a thousand payers wait at the same time,
and has schemathesis send what the document allows and what it forbids, as callers with four roles.
scripts/check-service has the tools for it.
"""
import argparse
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

from bundle_openapi import Bundle
from service_world import World, status
import waiting_payers

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "Schemas/service.openapi.json"
PARTS = ["access", "metrics", "clients", "shop", "waiting", "faults"]
TOOLS = pathlib.Path(sys.executable).parent
SEED = 1
# How many requests are made up for each operation, and how long a command, or all runs of
# schemathesis together, may take.
EXAMPLES = 10
SECONDS = 90
# The callers, with the number of requests a second that the service allows them. Each operation is
# tried by the first of them that may call it, and by the payer.
CALLERS = {"driver": 900, "operator": 90, "subscriber": 90, "payer": 18}
# How many processes make requests up at the same time.
WORKERS = 2
# The statuses of requests that the document allows.
ACCEPTED = ["2xx", "3xx", 401, 403, 404, 409, 412, 429]


class Failure(Exception):
    """What was found."""


def operations(document):
    """The operations of the document: identifier, method, path, and who may call it."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            roles = re.fullmatch(r"Roles: (.*)\.", operation.get("description", ""))
            callers = {"nobody", *CALLERS} if operation.get("security") == [] else set()
            if roles:
                names = roles.group(1).split(", ")
                callers = {caller for caller in CALLERS
                           if caller in names or "any" in names and caller != "payer"}
                callers |= {"payer"} if "the payer" in names else set()
            yield operation["operationId"], method.upper(), path, callers


def configuration(caller, world, made, actions, cursor):
    """The configuration of a run: what exists, so that requests reach it."""
    sessions = [session for state in made.values() for session in state]
    if caller == "payer":
        sessions = [made["card"][1]]
    return f"""
seed = {SEED}
max-stream-events = 3
[generation]
max-examples = {EXAMPLES}
database = "none"
# As with 409, the state decides whether the version that If-Match names is the present one.
[checks.positive_data_acceptance]
expected-statuses = {json.dumps(ACCEPTED)}
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 412, 415, 422, 429]
[dictionaries]
waits.values = ["wait=0", "wait=1"]
reasons.values = ["the payer asked for it", "case 4711"]
sessions.values = {json.dumps(sessions)}
actions.values = {json.dumps(sorted({action for ids in actions.values() for action in ids}))}
addresses.values = {json.dumps([world.order() for _ in range(4)])}
gateways.values = [{json.dumps(world.psp)}]
currencies.values = ["SEK", "EUR"]
positions.values = [{json.dumps(cursor)}]
[parameters]
"path.session" = {{dictionary = "sessions", probability = 0.9}}
"path.action" = {{dictionary = "actions", probability = 0.5}}
"header.Prefer" = {{dictionary = "waits", probability = 0.8}}
"body.reason" = {{dictionary = "reasons"}}
"body.evidence" = {{dictionary = "reasons"}}
"body.url" = {{dictionary = "addresses"}}
"body.psp" = {{dictionary = "gateways"}}
"header.Reason" = {{dictionary = "reasons"}}
"body.amount.currency" = {{dictionary = "currencies"}}

# Which hosts may be contacted is configured; addresses of others are only made up in this phase.
[[operations]]
include-operation-id = "openSession"
[operations.phases.coverage.checks.positive_data_acceptance]
expected-statuses = {json.dumps(ACCEPTED + [422])}

# Of a gateway there is one, at an allowed host; the rules of an order are those of the PSP.
[[operations]]
include-operation-id = ["openCheckout", "listStoredTokens", "deleteStoredToken"]
[operations.checks.positive_data_acceptance]
expected-statuses = {json.dumps(ACCEPTED + [422])}

# A reason must not look like a secret, which no schema can say.
[[operations]]
include-operation-id = ["retry", "abort", "adoptOrder"]
[operations.phases.coverage.checks.positive_data_acceptance]
expected-statuses = {json.dumps(ACCEPTED + [422])}

# The same; and the tax is compared with the amount, and the items with the order's.
[[operations]]
include-operation-id = "transact"
[operations.checks.positive_data_acceptance]
expected-statuses = {json.dumps(ACCEPTED + [422])}

# The last event is compared with the first.
[[operations]]
include-operation-id = "states"
[operations.checks.positive_data_acceptance]
expected-statuses = {json.dumps(ACCEPTED + [400])}

# The amount is compared with that of the payment.
[[operations]]
include-operation-id = "resolve"
[operations.checks.positive_data_acceptance]
expected-statuses = {json.dumps(ACCEPTED + [422])}

# Log positions are opaque: the service has made all that it accepts.
[[operations]]
include-operation-id = "events"
parameters = {{"query.after" = {{dictionary = "positions"}}}}
[[operations]]
include-operation-id = "eventStream"
request-timeout = 1
[operations.parameters]
"query.after" = {{dictionary = "positions"}}
"header.Last-Event-ID" = {{dictionary = "positions"}}
[operations.checks.response_schema_conformance]
enabled = false

# A stream is a text in OpenAPI 3.1, but is compared event by event. One of which nothing more comes
# is left soon.
[[operations]]
include-operation-id = "sessionStream"
request-timeout = 1
[operations.checks.response_schema_conformance]
enabled = false
"""


def find_faults(caller, token, names, world, folder, text):
    """Starts schemathesis as one caller."""
    file = folder / f"{caller}.toml"
    file.write_text(text)
    only = [word for name in names for word in ("--include-operation-id", name)]
    return subprocess.Popen(
        [TOOLS / "schemathesis", "--config-file", file, "--no-color", "run",
         folder / "openapi.json", "--url", world.service,
         "--header", f"Authorization: Bearer {token}", "--rate-limit", f"{CALLERS[caller]}/s",
         "--phases", "fuzzing,stateful" if caller == "payer" else "coverage,fuzzing,stateful",
         "--request-timeout", "20", "--warnings", "off", "--continue-on-failure", *only],
        stdin=subprocess.DEVNULL, stdout=open(folder / f"{caller}.txt", "w"),
        stderr=subprocess.STDOUT, cwd=folder)


def refused_wrongly(document, world, tokens, session):
    """Who is refused although the document lets them call an operation, or not refused although it
    does not."""
    for name, method, path, callers in operations(document):
        path = path.replace("{session}", session)
        path = re.sub(r"\{[a-z]+\}", "a-1", path)
        body = b"[]" if method == "POST" else None
        for caller, token in {**tokens, "nobody": None, "stranger": "pwt_x_y"}.items():
            code = status(world.service + path, token, method, body)
            known = 401 if caller in ("nobody", "stranger") else 403
            if "nobody" in callers:
                fits = code not in (401, 403)
            else:
                fits = (code == known) == (caller not in callers)
            if not fits:
                yield f"{caller} at {name}: {code}"


def run_all(callers, parts, tokens, world, folder, seconds, text):
    """Runs schemathesis as each caller, and returns what was found."""
    end = time.monotonic() + seconds
    failures, waiting, running = [], list(callers), {}
    while waiting or running:
        while waiting and len(running) < WORKERS:
            caller = waiting.pop(0)
            running[caller] = find_faults(
                caller, tokens[caller], parts[caller], world, folder, text(caller))
        for caller, process in list(running.items()):
            if process.poll() is None and time.monotonic() < end:
                continue
            late = process.poll() is None
            if late:
                process.kill()
                process.wait()
            del running[caller]
            said = (folder / f"{caller}.txt").read_text()
            cases = re.search(r"(\d+) generated", said)
            print(f"{caller}: {len(parts[caller])} operations, "
                  f"{cases.group(1) if cases else 'no'} requests", flush=True)
            if late or process.returncode != 0:
                why = f"was not done in {seconds} s" if late else "found something"
                failures.append(f"schemathesis as {caller} {why}:\n{said}")
        time.sleep(0.1)
    return failures


def generate(folder, document):
    """Generates the clients from the document."""
    settings = folder / "client.json"
    # The generator knows texts by the media type of plain ones.
    settings.write_text(json.dumps({"content_type_overrides": {
        "application/x-ndjson": "text/plain", "image/svg+xml": "text/plain",
        "text/event-stream": "text/plain"}, "post_hooks": []}))
    run(TOOLS / "openapi-python-client", "generate", "--path", document, "--config", settings,
        "--meta", "none", "--output-path", folder / "python/payment_client", "--fail-on-warning")
    run("java", "-jar", jar(), "generate", "--input-spec", document,
        "--generator-name", "typescript-fetch", "--output", folder / "typescript/payment_client",
        "--additional-properties", "withoutRuntimeChecks=true")
    shutil.copy(HERE / "service_client.ts", folder / "typescript")
    run("tsc", "--strict", "--target", "ES2020", "--module", "commonjs", "--lib", "ES2020,DOM",
        "--outDir", folder / "javascript", folder / "typescript/service_client.ts")


def jar():
    """The generator that its package of PyPI contains."""
    package = importlib.util.find_spec("openapi_generator_cli")
    return pathlib.Path(package.origin).parent / "openapi-generator.jar"


def run(*command):
    """Runs a command; what it said is shown when it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=2 * SECONDS)
    if done.returncode != 0:
        raise Failure(f"{command[0]} failed:\n{done.stdout.decode()}")
    return done.stdout.decode()


def pay(folder, world, driver):
    """Pays with the generated clients."""
    python = [sys.executable, HERE / "service_client.py", folder / "python"]
    for command in (python, ["node", folder / "javascript/service_client.js"]):
        told = run(*command, world.service, driver, world.order(), world.psp)
        if not told.startswith("ended as completed\n") or told.count("\n") < 4:
            raise Failure(f"{command[0]} did not pay:\n{told}")


def check_document(folder, world, may_differ):
    """Validates the document of the source tree and the one that is served: the same."""
    document = folder / "openapi.json"
    document.write_text(json.dumps(Bundle(DOCUMENT).document()))
    with urllib.request.urlopen(f"{world.service}/openapi.json") as response:
        served = json.load(response)
    (folder / "served.json").write_text(json.dumps(served))
    for file in (document, folder / "served.json"):
        run(TOOLS / "openapi-spec-validator", "--schema", "3.1", file)
    whole = json.loads(document.read_text())
    if served != whole and not may_differ:
        raise Failure("the served document is not that of the source tree")
    return whole


def check_access(whole, world, tokens, made):
    """Tries each operation as everybody."""
    wrong = list(refused_wrongly(whole, world, tokens, made["card"][1]))
    # What the engine does not drive can still be read by those who drive.
    for session in made["erased"] + made["imported"]:
        code = status(f"{world.service}/v1/sessions/{session}", tokens["driver"])
        wrong += [f"driver at a session that is only read: {code}"] if code != 200 else []
    if wrong:
        raise Failure("\n".join(wrong))


def check_metrics(world, token, made):
    """Has Prometheus' own tool check the metrics, and looks for sessions in them."""
    request = urllib.request.Request(
        f"{world.service}/metrics", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as response:
        page = response.read()
    checked = subprocess.run(["promtool", "check", "metrics"], input=page, timeout=SECONDS,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if checked.returncode != 0:
        raise Failure(checked.stdout.decode())
    found = [session for state in made.values() for session in state if session.encode() in page]
    if found or b"payment_workflow_request_duration_count" not in page:
        raise Failure(f"sessions in the metrics: {found}\n{page.decode()}")


def check_clients(folder, world, driver):
    """Generates clients, and pays with them."""
    generate(folder, folder / "openapi.json")
    pay(folder, world, driver)


def check_waiting(world):
    """Has payers wait, of whom nobody may wait for another."""
    seconds, missing = waiting_payers.measure(world)
    told = waiting_payers.words(seconds, missing, waiting_payers.PAYERS)
    if missing or seconds[-1] > waiting_payers.BOUND:
        raise Failure(told)
    print(told)


def check_faults(whole, folder, world, tokens, made, actions, seconds):
    """Has schemathesis look for faults."""
    known = list(operations(whole))
    parts = {caller: [] for caller in CALLERS}
    for name, _, path, callers in known:
        first = next((caller for caller in CALLERS if caller in callers), None)
        if first:
            parts[first].append(name)
        if "payer" in callers and first != "payer" and "{session}" in path:
            parts["payer"].append(name)
    cursor = world.position(tokens["subscriber"])
    found = run_all(list(CALLERS), parts, tokens, world, folder, seconds,
                    lambda caller: configuration(caller, world, made, actions, cursor))
    if found:
        raise Failure("\n".join(found))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--any-document", action="store_true",
                        help="the program may have been built with another document")
    parser.add_argument("--only", choices=PARTS, help="one part; else all")
    parser.add_argument("--seconds", type=int, default=SECONDS,
                        help="how long schemathesis may take: more on a machine that is busy")
    options = parser.parse_args()
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory(prefix="check-service-") as name, World(options.program) as world:
        folder = pathlib.Path(name)
        try:
            whole = check_document(folder, world, options.any_document)
        except Failure as failure:
            print(f"document: failed\n{failure}\n0 passed, 1 failed")
            return 1
        passed += 1
        tokens = {role: world.token(role) for role in CALLERS if role != "payer"}
        driver = tokens["driver"]
        made, actions = world.payments(driver)
        tokens["payer"] = world.send(
            driver, "POST", f"/v1/sessions/{made['card'][1]}/payer-tokens")["token"]
        checks = {
            "access": lambda: check_access(whole, world, tokens, made),
            "metrics": lambda: check_metrics(world, tokens["operator"], made),
            "clients": lambda: check_clients(folder, world, driver),
            "shop": lambda: run(sys.executable, HERE / "drive_shop.py", world.service, driver, world.psp),
            "waiting": lambda: check_waiting(world),
            "faults": lambda: check_faults(
                whole, folder, world, tokens, made, actions, options.seconds),
        }
        for part in [options.only] if options.only else PARTS:
            begin = time.monotonic()
            try:
                checks[part]()
                passed += 1
                result = "ok"
            except (Failure, subprocess.TimeoutExpired) as failure:
                failed += 1
                result = f"failed\n{failure}"
            print(f"{part}: {time.monotonic() - begin:.0f} s, {result}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

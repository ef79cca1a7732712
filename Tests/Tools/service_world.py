"""A sandbox and a service as processes of their own, with payments in every state, for checks of
the service from outside. Needs nothing but Python and the built program.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
import uuid

# How long a process may take until it listens, and a payment until it has settled, in seconds.
PATIENCE = 30
FIXTURE = pathlib.Path(__file__).parent.parent / "Fixtures/Logs/payment-declined-then-swish.ndjson"


class World:
    """The two processes, on a store in a folder that is removed at the end."""

    def __init__(self, program):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = tempfile.mkdtemp(prefix="check-service-")
        self.environment = {
            **{name: value for name, value in os.environ.items()
               if not name.startswith("WORKFLOWCTL_")},
            "HOME": self.folder,
            "WORKFLOWCTL_STORE": f"sqlite:{self.folder}/payments.db",
        }
        self.processes = []

    def run(self, *arguments):
        """Runs a command of the program, and returns what it printed."""
        return subprocess.run(
            [self.program, *arguments], env=self.environment, check=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, timeout=PATIENCE).stdout.decode()

    def start(self, name, *arguments):
        """Starts a command that goes on, and returns the JSON of its first line."""
        log = open(f"{self.folder}/{name}.log", "w+")
        process = subprocess.Popen(
            [self.program, *arguments, "--json"], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=log, stderr=open(f"{self.folder}/{name}.errors", "w"))
        self.processes.append(process)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and process.poll() is None:
            line = pathlib.Path(log.name).read_text().partition("\n")[0]
            if line.endswith("}"):
                return json.loads(line)
            time.sleep(0.02)
        errors = pathlib.Path(f"{self.folder}/{name}.errors").read_text()
        raise SystemExit(f"error: '{name}' did not start\n{errors}")

    def __enter__(self):
        self.psp = self.start("sandbox", "sandbox", "--port", "0")["baseURL"]
        # So that lists and statistics have something to tell.
        self.run("demo", "--sessions", "12")
        self.service = self.start(
            "service", "--allow-insecure-loopback", "serve", "--listen", "127.0.0.1:0")["url"]
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def token(self, *roles):
        """Makes a token of a caller with these roles."""
        options = [word for role in roles for word in ("--role", role)]
        made = self.run("serve", "token", "create", *options, "--name", "-".join(roles), "--json")
        return json.loads(made)["token"]

    def send(self, token, method, path, content=None, headers=None):
        """Sends a request to the service, and returns the JSON of the response."""
        request = urllib.request.Request(self.service + path, method=method, headers=headers or {})
        request.add_header("Authorization", f"Bearer {token}")
        if content is not None:
            request.data = json.dumps(content).encode()
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return json.load(response)

    def order(self, description="Lamp", payer=None, page="https://shop.example"):
        """Creates an order at the sandbox, and returns its session's address."""
        order = {
            "operation": "Purchase", "currency": "SEK", "amount": 10000, "vatAmount": 2000,
            "description": description, "userAgent": "shop/1", "language": "sv-SE",
            "urls": {"hostUrls": [f"{page}/"], "completeUrl": f"{page}/complete",
                     "cancelUrl": f"{page}/cancel", "paymentUrl": f"{page}/pay"},
            "payeeInfo": {"payeeId": "shop", "payeeReference": uuid.uuid4().hex[:20]}}
        content = {"paymentorder": order, "sandbox": {"swishWaitsForPayer": True}}
        if payer:
            order["payer"] = {"payerReference": payer}
            content["sandbox"]["savedCards"] = ["4761739001010416"]
        request = urllib.request.Request(
            f"{self.psp}/psp/paymentorders", json.dumps(content).encode(),
            {"Content-Type": "application/json", "Authorization": "Bearer none"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            created = json.load(response)
        return next(operation["href"] for operation in created["operations"]
                    if operation["rel"] == "view-paymentsession")

    def decide(self, address, decision):
        """Has the payer decide in the Swish app that an action launched."""
        token = re.search("token=([^&]+)", address).group(1)
        urllib.request.urlopen(
            f"{self.psp}/sandbox/swish/{token}?decision={decision}", timeout=PATIENCE).read()

    def payments(self, driver):
        """Makes a payment in each state: identifiers by state, and the actions that are open."""

        def open_session(**order):
            content = {"url": self.order(**order), "reference": f"order-{uuid.uuid4().hex[:8]}"}
            return self.send(driver, "POST", "/v1/sessions", content)["session"]

        def swish(session, decision=None):
            view = self.send(driver, "POST", f"/v1/sessions/{session}/attempts",
                             {"instrument": "swish"})
            action = view["actions"][0]
            self.send(driver, "POST", f"/v1/sessions/{session}/actions/{action['id']}/report",
                      {"outcome": "launched"}, {"Prefer": "wait=0"})
            if decision:
                self.decide(action["url"], decision)
                self.settle(driver, session)
            return session

        made, actions = {}, {}
        made["ready"] = [open_session() for _ in range(4)]
        made["paid"] = [swish(open_session(), "approve")]
        made["declined"] = [swish(open_session(), "decline")]
        made["swish"] = [swish(open_session())]
        made["card"] = []
        for _ in range(2):
            session = open_session(payer="payer-1")
            view = self.send(driver, "POST", f"/v1/sessions/{session}/attempts",
                             {"instrument": "card", "prefill": 1})
            made["card"].append(session)
            actions[session] = [action["id"] for action in view["actions"]]
        canceled = open_session()
        self.send(driver, "POST", f"/v1/sessions/{canceled}/abort")
        made["canceled"] = [canceled]
        erased = swish(open_session(), "approve")
        self.run("erase", erased, "--reason", "the payer asked for it")
        made["erased"] = [erased]
        self.run("import", str(FIXTURE))
        made["imported"] = [json.loads(FIXTURE.read_text().partition("\n")[0])["record"]["stream"]]
        return made, actions

    def position(self, subscriber):
        """The log position of a record."""
        request = urllib.request.Request(
            f"{self.service}/v1/events?limit=1", headers={"Authorization": f"Bearer {subscriber}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.headers["Last-Event-ID"]

    def settle(self, token, session):
        """Waits until the payer's decision has arrived."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            view = self.send(token, "GET", f"/v1/sessions/{session}")
            if view["settled"] and view["phase"] in ("ended", "ready"):
                return view
            time.sleep(0.1)
        raise SystemExit(f"error: a payment did not settle: {view['phase']}")


def status(url, token=None, method="GET", body=None):
    """The status of a response, without its body: that of a stream has no end."""
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method=method)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code

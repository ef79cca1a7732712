"""Attacks of who calls the service over HTTP, or holds a token of it."""
import http.client
import json
import socket
import subprocess
import time

from world import PATIENCE, attack, expect

ROLES = ("viewer", "support", "operator", "auditor", "admin", "driver", "subscriber")
CARD = "4925000000000004"


class Service:
    """A service of the world's store, and tokens for it."""

    def __init__(self, world, *options):
        self.world, self.seen = world, []
        self.errors = open(world.folder + "/service.log", "w+")
        self.child = subprocess.Popen(
            [world.program, "--allow-insecure-loopback", "--json", "serve", "--listen", "127.0.0.1:0",
             *options],
            stdout=subprocess.PIPE, stderr=self.errors, text=True, cwd=world.folder,
            env=world.environment)
        world.children.append(self.child)
        told = json.loads(self.child.stdout.readline())
        self.host = told["url"].split("//")[1]
        # The listener for payers.
        self.public = told.get("publicUrl", "//").split("//")[1]
        self.tokens = {role: world.document("serve", "token", "create", "--role", role)["token"]
                       for role in ROLES}

    def send(self, method, path, token=None, body=None, host=None, **fields):
        """Sends a request; (status, text). What came is kept with its role."""
        connection = http.client.HTTPConnection(host or self.host, timeout=PATIENCE)
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if token is not None:
            headers["Authorization"] = "Bearer " + self.tokens.get(token, token)
        if isinstance(body, dict):
            body = json.dumps(body)
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        connection.request(method, path, body.encode() if isinstance(body, str) else body, headers)
        response = connection.getresponse()
        text = response.read().decode(errors="replace")
        self.seen.append((token, str(response.headers) + text))
        expect(response.status < 500, f"{response.status} for {method} {path}")
        return response.status, text

    def open(self, address, **members):
        status, text = self.send("POST", "/v1/sessions", "driver", {"url": address, **members})
        assert status in (200, 201), text
        return json.loads(text)["session"]

    def count(self, session):
        """The number of records of a session."""
        return self.send("GET", f"/v1/sessions/{session}/events?limit=1000", "auditor")[1].count("\n")

    def raw(self, data, wait=5, host=None):
        """Sends bytes as they are; the beginning of what comes back."""
        name, port = (host or self.host).split(":")
        with socket.create_connection((name, int(port)), timeout=wait) as connection:
            try:
                connection.sendall(data)
                return connection.recv(65536)
            except OSError:
                return b""


@attack("service-tokens", "use a payer's token for another payment, forged tokens, and tokens in other places")
def service_tokens(world):
    base, service = world.sandbox(), Service(world)
    own, other = service.open(world.order(base)), service.open(world.order(base))
    status, text = service.send("POST", f"/v1/sessions/{own}/payer-tokens", "driver", {"seconds": 60})
    assert status == 201, text
    payer = json.loads(text)["token"]
    expect(service.send("GET", f"/v1/sessions/{own}", payer)[0] == 200, "the payer's own is refused")
    before = service.count(own), service.count(other)
    swish, done = {"instrument": "swish"}, {"outcome": "done"}
    for method, path, body in (
            ("GET", f"/v1/sessions/{other}", None), ("GET", f"/v1/sessions/{other}/stream", None),
            ("POST", f"/v1/sessions/{other}/attempts", swish), ("POST", f"/v1/sessions/{own}/abort", None),
            ("POST", f"/v1/sessions/{other}/actions/a-1/report", done), ("GET", "/v1/sessions", None),
            ("GET", f"/v1/sessions/{own}/story", None), ("GET", f"/v1/sessions/{own}/events", None),
            ("POST", f"/v1/sessions/{own}/payer-tokens", {}), ("POST", "/v1/search", {"text": "order"}),
            ("POST", f"/v1/sessions/{own}/close", {"reason": "test"}), ("GET", "/v1/events", None),
            ("POST", f"/v1/sessions/{own}/transactions", {"kind": "reverse", "description": "x"}),
            ("POST", "/v1/checkouts", {}), ("GET", "/metrics", None)):
        status, _ = service.send(method, path, payer, body)
        expect(status == 403, f"{status} for {method} {path} with a payer's token")
    driver = service.tokens["driver"]
    forged = [payer[:-2] + ("AA" if payer[-2:] != "AA" else "BB"), payer[:-1], payer + "A", payer.upper(),
              payer.replace(own.replace("-", "")[:6], "000000"), driver[:-1], driver + "0", "pwt_", "ppt_",
              "", " ", "null", driver.split("_")[1], "a" * 9000]
    for token in forged:
        if token != payer:
            status, _ = service.send("GET", f"/v1/sessions/{own}", token)
            expect(status in (400, 401, 431), f"{status} for a forged token")
    for fields in ({"Authorization": "Basic " + driver}, {"Authorization": driver}, {"Cookie": "token=" + driver},
                   {"X_Forwarded_User": "admin"}, {"Proxy_Authorization": "Bearer " + driver}):
        expect(service.send("GET", "/v1/sessions", **fields)[0] == 401, f"{list(fields)} is accepted")
    expect(service.send("GET", "/v1/sessions?token=" + driver)[0] == 401, "a token in the address is accepted")
    identity = driver.split("_")[1]
    world.run("serve", "token", "revoke", identity)
    expect(service.send("GET", "/v1/sessions", "driver")[0] == 401, "a revoked token is accepted")
    service.tokens["driver"] = service.tokens["auditor"]
    expect((service.count(own), service.count(other)) == before, "something was recorded")


@attack("service-bodies", "send what no body may be: doubled members, depth, length, other text, numbers of cards")
def service_bodies(world):
    base, service = world.sandbox(), Service(world)
    session = service.open(world.order(base))
    before = service.count(session)
    here = f"/v1/sessions/{session}"
    good = {"attempts": {"instrument": "swish"}, "menu": {"instrument": "Trustly"}, "notes": {"text": "called"},
            "return": {"url": "https://shop.example/"}, "close": {"reason": "test order"},
            "resolution": {"verdict": "paid", "evidence": "portal"},
            "transactions": {"kind": "capture", "description": "x"}, "actions/a-1/report": {"outcome": "done"}}
    role = {"attempts": "driver", "menu": "driver", "return": "driver", "actions/a-1/report": "driver"}
    for path, content in good.items():
        text = json.dumps(content)
        name = next(iter(content))
        bad = [
            text[:-1], text + "x", "[" + text + "]", "null", '"x"', "7", "{" + f'"{name}":1' + "}",
            "{" + f'"{name}":"x",' + text[1:], "{" + f'"{name} ":"x",' + text[1:],
            "{" + f'"{name}":' + "[" * 5000 + "]" * 5000 + "}", json.dumps({**content, "unknown": 1}),
            json.dumps({**content, "__proto__": {}}), '{"a":"\\ud800"}', "{" + f'"{name}":1e400' + "}",
            json.dumps({**content, name: "x" * 300_000}),
            json.dumps({**content, name: ["x"]}), json.dumps({**content, name: {"a": 1}}),
        ]
        for body in bad:
            status, _ = service.send("POST", f"{here}/{path}", role.get(path, "operator"), body)
            expect(400 <= status < 500, f"{status} at {path} for {body[:60]!r}")
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
            status, _ = service.send("POST", f"{here}/{path}", role.get(path, "operator"), text,
                                     Content_Type=kind)
            expect(status == 415, f"{status} at {path} for {kind!r}")
        status, _ = service.send("POST", f"{here}/{path}", role.get(path, "operator"), b"\xff\xfe{}")
        expect(400 <= status < 500, f"{status} at {path} for bytes that are no text")
    for body in ({"instrument": "card", "card": CARD}, {"instrument": "card", "prefill": -1},
                 {"instrument": "card", "prefill": 2 ** 63}, {"instrument": "swish", "msisdn": "0700"}):
        expect(service.send("POST", here + "/attempts", "driver", body)[0] in (400, 409, 422), str(body))
    expect(service.send("POST", "/v1/search", "support", {"text": CARD})[0] == 422, "a card number is looked up")
    expect(service.count(session) == before, "something was recorded")
    log = world.run("log", session, "--json")[1]
    expect(CARD not in log, "the number of a card was recorded")


@attack("service-requests", "lie about lengths, smuggle requests, climb paths, and keep the service waiting")
def service_requests(world):
    base, service = world.sandbox(), Service(world)
    session = service.open(world.order(base))
    token = service.tokens["driver"]
    head = f"Host: {service.host}\r\nAuthorization: Bearer {token}\r\n"
    before = service.count(session)
    inner = f"POST /v1/sessions/{session}/abort HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
    lies = [
        f"GET /v1/me HTTP/1.1\r\n{head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{inner}",
        f"GET /v1/me HTTP/1.1\r\n{head}Content-Length: 0\r\nContent-Length: {len(inner)}\r\n\r\n{inner}",
        f"GET /v1/me HTTP/1.1\r\n{head}Transfer-Encoding: xchunked\r\n\r\n{inner}",
        f"GET /v1/me HTTP/1.1\r\n{head}Content-Length: -1\r\n\r\n{inner}",
        f"GET /v1/me HTTP/1.1\r\n{head}X: a\r\n b\r\n\r\n", f"GET /v1/me HTTP/9.9\r\n{head}\r\n",
        f"CONNECT 127.0.0.1:22 HTTP/1.1\r\n{head}\r\n", "\x16\x03\x01\x02\x00\x01", "\r\n" * 5000,
        f"GET http://127.0.0.1:1/v1/me HTTP/1.1\r\n{head}\r\n",
        f"GET /{'a' * 100_000} HTTP/1.1\r\n{head}\r\n",
        f"GET /v1/me HTTP/1.1\r\n{head}" + "".join(f"X-{n}: {n}\r\n" for n in range(2000)) + "\r\n",
        f"GET /v1/me HTTP/1.1\r\n{head}Cookie: {'c' * 100_000}\r\n\r\n",
    ]
    for lie in lies:
        told = service.raw(lie.encode())
        expect(b"HTTP/1.1 5" not in told, f"the service fails at {lie[:60]!r}: {told[:60]!r}")
    for path in ("/v1/../healthz", "/v1/%2e%2e/metrics", "/v1//sessions", "/v1/sessions/%2e%2e%2f%2e%2e/metrics",
                 f"/v1/sessions/{session}%2fabort", f"/v1/sessions/{session}/abort%00", "/v1/sessions/%c0%ae",
                 "/errors/..%2f..%2fetc%2fpasswd", "/errors/%2e%2e", "/%", "/v1/sessions/" + "9" * 5000):
        status, text = service.send("GET", path, "driver")
        expect(status in (400, 404, 414, 431) and "root:" not in text, f"{status} for {path[:60]}")
    # Connections that say nothing, or say it slowly, keep nobody else waiting.
    name, port = service.host.split(":")
    slow = [socket.create_connection((name, int(port))) for _ in range(300)]
    for number, connection in enumerate(slow):
        connection.sendall(b"POST /v1/sessions HTTP/1.1\r\nContent-Length: 9\r\n"[:number % 50])
    expect(service.send("GET", "/v1/me", "driver")[0] == 200, "others wait")
    for connection in slow:
        connection.close()
    expect(service.count(session) == before, "something was recorded")


@attack("service-hosts", "have the service call an address of the caller's choice")
def service_hosts(world):
    service, (trap, came) = None, world.trap()
    with open(world.folder + "/psp", "w") as file:
        file.write("access-token-of-the-psp")
    world.environment["WORKFLOWCTL_TOKEN_FILE"] = world.folder + "/psp"
    world.environment["WORKFLOWCTL_CONFIG"] = world.folder + "/config.json"
    with open(world.folder + "/config.json", "w") as file:
        json.dump({"allowedHosts": ["127.0.0.1:1"]}, file)
    service = Service(world)
    for address in (trap + "/psp/paymentsessions/x", "https://evil.example/psp/paymentsessions/x",
                    "http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "gopher://127.0.0.1/",
                    "https://api.payex.com@evil.example/", "https://api.payex.com.evil.example/psp/x",
                    "https://[::1]/", "https://127.1/", "//evil.example/x", trap + "/x?y=1#z"):
        status, _ = service.send("POST", "/v1/sessions", "driver", {"url": address})
        expect(400 <= status < 500, f"{status} for {address}")
        for gateway in ("psp", "backend"):
            status, _ = service.send("POST", "/v1/checkouts", "driver",
                                     {gateway: address, "order": {"operation": "Purchase"}})
            expect(400 <= status < 500, f"{status} for an order at {address}")
    expect(came == [], "the service called it")


@attack("service-public", "reach more through the listener for payers than payers and the PSP need")
def service_public(world):
    base, service = world.sandbox(), Service(world, "--public-listen", "127.0.0.1:0")
    own, other = (service.open(world.order(base), reference=name) for name in ("order-1", "order-2"))
    payer = json.loads(service.send("POST", f"/v1/sessions/{own}/payer-tokens", "driver", {})[1])["token"]
    before = service.count(other)
    paths = json.loads(service.send("GET", "/openapi.json", "admin")[1])["paths"]
    expect(len(paths) > 30, "too few paths are tried")
    for template, methods in paths.items():
        path = template.replace("{session}", other)
        while "{" in path:
            path = path[:path.index("{")] + "a-1" + path[path.index("}") + 1:]
        for method in methods:
            # Who the PSP is cannot be known: its callbacks need no token, and prove nothing.
            if method not in ("get", "post") or path.startswith("/v1/callbacks/"):
                continue
            for token in (*ROLES, payer, None):
                status, text = service.send(method.upper(), path, token, "{}" if method == "post" else None,
                                            host=service.public)
                # The address may have sent too much by now.
                expect(status in (401, 403, 404, 429), f"{status} for {method} {path} as {token}: {text[:80]}")
                if status == 429:
                    time.sleep(1)
    expect(service.send("GET", f"/v1/sessions/{own}", payer, host=service.public)[0] == 200, "the payer is refused")
    head = f"Host: {service.public}\r\nAuthorization: Bearer {payer}\r\n"
    inner = f"POST /v1/sessions/{other}/abort HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
    for lie in (f"GET /v1/sessions/{own} HTTP/1.1\r\n{head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
                f"0\r\n\r\n{inner}", f"GET http://{service.host}/metrics HTTP/1.1\r\n{head}\r\n",
                f"GET /v1/../metrics HTTP/1.1\r\n{head}\r\n", f"CONNECT {service.host} HTTP/1.1\r\n{head}\r\n"):
        told = service.raw(lie.encode(), host=service.public)
        expect(b" 5" not in told[8:10] and b"payment_workflow" not in told, f"{told[:80]!r} for {lie[:60]!r}")
    # Anybody may claim that something happened: what the PSP says decides, and the log stays short.
    for body in ("{}", "x", "[" * 9000, json.dumps({"paymentOrder": {"status": "Paid"}}), "", b"\xff\xfe"):
        service.send("POST", "/v1/callbacks/order-2", None, body, host=service.public)
    statuses = [service.send("POST", "/v1/callbacks/order-2", None, "{}", host=service.public)[0]
                for _ in range(400)]
    expect(429 in statuses, "an address may send without end")
    expect(service.count(other) < before + 100, "each callback adds to the log")
    view = json.loads(service.send("GET", f"/v1/sessions/{other}", "viewer")[1])
    expect(view["outcome"] is None and view["money"]["standing"] in ("intended", "none"), f"{view['money']}")


@attack("service-secrets", "look for addresses, tokens and numbers in all that the service says and writes")
def service_secrets(world):
    base, service = world.sandbox(), Service(world)
    address, number = world.order(base), "+46739000417"
    session = service.open(address, reference="order-1", metadata={"a": "b"})
    here = f"/v1/sessions/{session}"
    payer = json.loads(service.send("POST", here + "/payer-tokens", "driver", {})[1])["token"]
    begun = json.loads(service.send("POST", here + "/attempts", "driver",
                                    {"instrument": "swish", "msisdn": number}, Idempotency_Key="k-1")[1])
    service.send("POST", here + "/notes", "support", {"text": "the payer's door code is 4711-9"})
    hrefs = [part for part in json.dumps(begun).split('"') if part.startswith("http")]
    service.send("POST", here + "/abort", "driver")
    service.seen.clear()
    paths = [here + part for part in ("", "/events", "/story", "/timeline?all=true", "/diagram.svg", "/report.html",
                                      "/states", "/states/3", "/proof", "/requests/k-1")]
    paths += ["/v1/sessions?facts=true", "/v1/events?positions=true", "/v1/money-at-risk", "/v1/statistics", "/v1/me",
              "/metrics", "/readyz", "/healthz", "/openapi.json", here + "/attempts", "/v1/sessions/" + payer]
    for role in ("viewer", "support", "operator", "auditor", "admin", "subscriber"):
        for path in paths:
            service.send("GET", path, role)
        service.send("POST", "/v1/search", role, {"text": "order-1"})
        service.send("POST", here + "/retry", role)
    secret = [address, address.split("/")[-1], number, number[3:], payer, "4711-9", *service.tokens.values()]
    secret += [href for href in hrefs if "paymentsessions" in href]
    said = [(f"a response to {role}", text) for role, text in service.seen]
    service.errors.flush()
    with open(world.folder + "/service.log") as file:
        said.append(("the log of the service", file.read()))
    expect(len(said) > 100 and "request" in said[-1][1], "too little was said")
    for place, text in said:
        for value in secret:
            at = text.find(value)
            expect(at < 0, f"{place} has a secret of {len(value)} characters: {text[max(0, at - 80):at]}…")

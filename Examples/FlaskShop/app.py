#!/usr/bin/env python3
"""A shop in Flask: its server opens payments, and the payer's browser drives them through it.

    pip install flask
    make serve                               # the service beside a sandbox; prints a token
    TOKEN=... Examples/FlaskShop/app.py      # then open http://127.0.0.1:5000

The browser reaches the service only at the addresses below /pay, only for its own session, and only
with the token of the payer, which is in a cookie that scripts cannot read. The token of the shop
(role driver) stays in this process.
"""
import json
import os
import pathlib
import re
import urllib.error
import urllib.request
import uuid

from flask import Flask, Response, request

SERVICE = os.environ.get("SERVICE", "http://127.0.0.1:8092")
PSP = os.environ.get("PSP", "http://127.0.0.1:8093")
TOKEN = os.environ["TOKEN"]
PORT = int(os.environ.get("PORT", "5000"))
SHOP = f"http://127.0.0.1:{PORT}"

# What a payer's browser may ask of the service, below its session.
PAYERS = [
    ("GET", r""), ("GET", r"stream"), ("POST", r"attempts"), ("POST", r"return"),
    ("POST", r"actions/a-\d+/report"), ("GET", r"actions/a-\d+/page"),
]
# Headers that pass from the browser to the service, and back.
ASKED = ["Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID", "Prefer"]
ANSWERED = [
    "Content-Type", "Content-Security-Policy", "Cache-Control", "ETag", "Referrer-Policy",
    "Retry-After", "X-Content-Type-Options",
]

app = Flask(__name__, static_folder=None)


def send(url, token, method, body=None, headers=None):
    """Sends a request; the response of an error is a response, too."""
    sent = urllib.request.Request(url, body, headers or {}, method=method)
    sent.add_header("Authorization", f"Bearer {token}")
    try:
        return urllib.request.urlopen(sent, timeout=70)
    except urllib.error.HTTPError as error:
        return error


def ask(url, token, content):
    """Sends JSON, and returns that of the response."""
    body = json.dumps(content).encode()
    with send(url, token, "POST", body, {"Content-Type": "application/json"}) as response:
        if response.status >= 300:
            raise RuntimeError(f"refused: {response.read().decode()}")
        return json.load(response)


def order():
    """Creates an order at the PSP, and returns its session's address: a secret of the shop."""
    created = ask(f"{PSP}/psp/paymentorders", "none", {"paymentorder": {
        "operation": "Purchase", "currency": "SEK", "amount": 10000, "vatAmount": 2000,
        "description": "Lamp", "userAgent": "shop/1", "language": "sv-SE",
        "urls": {"hostUrls": [f"{SHOP}/"], "completeUrl": f"{SHOP}/complete",
                 "cancelUrl": f"{SHOP}/cancel", "paymentUrl": f"{SHOP}/"},
        "payeeInfo": {"payeeId": "shop", "payeeReference": uuid.uuid4().hex[:20]}},
        "sandbox": {"swishWaitsForPayer": True}})
    return next(operation["href"] for operation in created["operations"]
                if operation["rel"] == "view-paymentsession")


@app.get("/")
def page():
    return Response((pathlib.Path(__file__).parent / "shop.html").read_text(), mimetype="text/html")


# The PSP's page ends here; the page around it sees that.
@app.get("/complete")
@app.get("/cancel")
def returned():
    return "One moment, please."


@app.post("/buy")
def buy():
    """Opens the payment, and gives the browser the token of its payer."""
    opened = ask(f"{SERVICE}/v1/sessions", TOKEN,
                 {"url": order(), "reference": f"order-{uuid.uuid4().hex[:8]}"})
    session = opened["session"]
    made = ask(f"{SERVICE}/v1/sessions/{session}/payer-tokens", TOKEN, {"seconds": 900})
    response = Response(json.dumps({"session": session}), mimetype="application/json")
    response.set_cookie("payer", made["token"], path=f"/pay/{session}", max_age=900, httponly=True,
                        samesite="Strict", secure=SHOP.startswith("https:"))
    return response


@app.route("/pay/<uuid:session>", defaults={"rest": ""}, methods=["GET", "POST"])
@app.route("/pay/<uuid:session>/<path:rest>", methods=["GET", "POST"])
def pay(session, rest):
    """Passes a request of the payer on."""
    if not any(request.method == method and re.fullmatch(path, rest) for method, path in PAYERS):
        return "", 404
    # Another token than a payer's is not passed on, wherever it may come from.
    token = request.cookies.get("payer", "")
    if not token.startswith("ppt_"):
        return "", 401
    headers = {name: request.headers[name] for name in ASKED if name in request.headers}
    answer = send(f"{SERVICE}/v1/sessions/{session}" + (f"/{rest}" if rest else ""), token,
                  request.method, request.get_data() or None, headers)
    # Line by line, so that the events of a stream pass on as they come.
    response = Response(iter(answer.readline, b""), answer.status)
    response.call_on_close(answer.close)
    response.headers.clear()
    for name in ANSWERED:
        if name in answer.headers:
            response.headers[name] = answer.headers[name]
    return response


if __name__ == "__main__":
    app.run("127.0.0.1", PORT, threaded=True)

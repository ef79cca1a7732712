"""Attacks of who is the PSP, or stands between it and the program."""
import json
import re
import time

from world import attack, expect, free_port


def drives(world, change):
    """Opens and attempts through a changing proxy.

    Returns the views of both as JSON, as far as there are any, and all diagnostics.
    """
    base = world.sandbox()
    proxy = world.proxy(base, change)
    address = world.order(base).replace(base, proxy)
    status, opened, words = world.run("--json", "open", address, "--wait", "5s")
    views = [json.loads(opened)] if opened.startswith("{") else []
    if status == 0 and views:
        status, tried, more = world.run(
            "--json", "attempt", views[0]["session"], "swish", "--wait", "5s")
        views += [json.loads(tried)] if tried.startswith("{") else []
        words += more
    return views, words


def links(views):
    return [action.get("url") for view in views for action in view["actions"]]


@attack("app-links", "name another app to be opened: intent:, tel:, javascript:, another host")
def app_links(world):
    for link in ("intent://pay", "tel:+46739000001", "javascript:alert", "https://evil.example/p",
                 "ms-msdt:/id", "content://contacts"):
        views, _ = drives(world, lambda text: text.replace("swish://paymentrequest", link))
        given = [url for url in links(views) if url]
        expect(given == [], f"the client is handed {given}")


@attack("app-link-control", "none: the same proxy without changes hands out the Swish app")
def app_link_control(world):
    views, words = drives(world, lambda text: text)
    expect(any((url or "").startswith("swish://") for url in links(views)), words)


def menu(world, change):
    """What the client must show when a session's page is requested through a changing proxy."""
    base = world.sandbox()
    proxy = world.proxy(base, change)
    address = world.order(base).replace(base, proxy)
    session = world.document("open", address, "--wait", "10s")["session"]
    status, output, words = world.run("--json", "menu", session, "--wait", "10s")
    actions = json.loads(output)["actions"] if output.startswith("{") else []
    return [action for action in actions if action["kind"] == "showMenu"], words


SCRIPT = r'("href":")[^"]*("[^{}]*"rel":"view-payment")|("rel":"view-payment"[^{}]*"href":")[^"]*(")'


@attack("page-scripts", "name a script that is a program, a file, without TLS or elsewhere")
def page_scripts(world):
    for link in ("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
                 "http://ecom.payex.com/x.js", "https://evil.example/x.js"):
        shown, _ = menu(world, lambda text: re.sub(
            SCRIPT, lambda m: (m[1] or m[3]) + link + (m[2] or m[4]), text))
        given = [action["url"] for action in shown if action["url"]]
        expect(given == [], f"the client is handed {given}")
    shown, words = menu(world, lambda text: text)
    expect(any(action["url"] for action in shown), "nor is an honest one: " + words)


@attack("page-ends", "end a page at an address that runs a script or opens another app")
def page_ends(world):
    for link in ("javascript:alert(1)", "intent://x", "data:text/html,x"):
        shown, words = menu(
            world, lambda text: text.replace("https://shop.example/complete", link))
        expect(shown != [], "no page was asked for: " + words)
        given = [action["completeURL"] for action in shown if action["completeURL"]]
        expect(given == [], f"the client is handed {given}")


@attack("foreign-hosts", "name operations at another host")
def foreign_hosts(world):
    views, words = drives(
        world, lambda text: re.sub(r'("href":")http://127\.0\.0\.1:\d+/psp', r"\1https://evil.example/psp", text))
    expect("evil.example" not in json.dumps(views) + words, "the host is told")
    attempts = [view for view in views if view.get("attempt")]
    expect(not any(view["outcome"] == "completed" for view in attempts), "it is paid")


@attack("odd-ports", "name operations at another port than the one that was allowed")
def odd_ports(world):
    trap, came = world.trap()
    base = world.sandbox()
    proxy = world.proxy(
        base, lambda text: re.sub(r'("href":")http://127\.0\.0\.1:\d+/psp', rf"\1{trap}/psp", text))
    with open(world.folder + "/ports.json", "w") as file:
        json.dump({"allowedHosts": ["payex.com", proxy.split("//")[1]]}, file)
    address = world.order(base).replace(base, proxy)
    world.run("--config", "ports.json", "--json", "open", address, "--wait", "5s")
    expect(came == [], f"the other port got {len(came)} requests")


@attack("redirects", "answer with a redirect to another server")
def redirects(world):
    trap, came = world.trap()
    evil = world.serve(lambda *_: (302, {"Location": trap + "/psp"}, b""))
    world.run("--json", "open", evil + "/psp/paymentsessions/1", "--wait", "2s")
    expect(came == [], "the redirect was followed")


def bounded(world, body, kind="application/json"):
    """Opens a session at a server that answers so; the program ends by itself, without a crash."""
    evil = world.serve(lambda *_: (200, {"Content-Type": kind}, body))
    begin = time.monotonic()
    status, output, words = world.run(
        "--json", "open", evil + "/psp/paymentsessions/1", "--wait", "3s")
    expect(status < 128 and status != 70, f"it ended with {status}: {words[:200]}")
    expect(time.monotonic() - begin < 55, "it did not end")
    return output + words


@attack("huge-body", "answer with 64 MiB of JSON")
def huge_body(world):
    body = b'{"paymentSession":{"x":"' + b"a" * (64 << 20) + b'"}}'
    expect(len(bounded(world, body)) < 1 << 20, "it repeats the answer")


@attack("deep-json", "answer with JSON that is a million levels deep")
def deep_json(world):
    bounded(world, b'{"paymentSession":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}")


@attack("garbage", "answer with bytes that are no text, and with HTML")
def garbage(world):
    bounded(world, bytes(range(256)) * 64)
    bounded(world, b"<script>alert(1)</script>", "text/html")


@attack("plain-http", "hand in an address without TLS, of this machine and of another")
def plain_http(world):
    trap, came = world.trap()
    import subprocess
    for address in (trap + "/psp/paymentsessions/1", "http://api.payex.com/psp/paymentsessions/1",
                    f"https://127.0.0.1:{free_port()}/psp/paymentsessions/1"):
        done = subprocess.run([world.program, "open", address], capture_output=True, text=True,
                              cwd=world.folder, env=world.environment, timeout=60)
        expect(done.returncode == 64, f"it ended with {done.returncode}")
    expect(came == [], "it was called without TLS")


@attack("foreign-address", "hand in a session's address of a host that is not the PSP's")
def foreign_address(world):
    for address in ("https://evil.example/psp/paymentsessions/1",
                    "https://payex.com.evil.example/psp/paymentsessions/1",
                    "https://api.payex.com@evil.example/psp/paymentsessions/1"):
        status, _, words = world.run("open", address)
        expect(status == 64, f"it ended with {status}")
        expect("evil.example/psp/paymentsessions" not in words, "the address is told")

"""Buys in the shop of Examples/FlaskShop with a headless Chromium:

    python3 drive_shop.py SERVICE TOKEN PSP

Pays with Swish and with a card that the issuer challenges, and checks what reached the browser: no
response has the shop's token or a session's address, and no request went to the service itself.
"""
import importlib.util
import logging
import os
import pathlib
import re
import sys
import threading
import urllib.error
import urllib.request

from werkzeug.serving import make_server

from browser import Browser

EXAMPLE = pathlib.Path(__file__).resolve().parent.parent.parent / "Examples/FlaskShop/app.py"
# The card that the sandbox's issuer challenges.
CARD = {"cardNumber": "4761739001010416", "expiryDate": "12/30", "cvc": "123"}


class Recorder:
    """The shop, with everything that it responds."""

    def __init__(self, app):
        self.app = app
        self.said = []
        self.lock = threading.Lock()

    def keep(self, data):
        with self.lock:
            self.said.append(data)
        return data

    def __call__(self, environment, start):
        def begin(code, headers, *rest):
            self.keep("\n".join(f"{name}: {value}" for name, value in headers).encode())
            return start(code, headers, *rest)

        parts = self.app(environment, begin)
        try:
            for part in parts:
                yield self.keep(part)
        finally:
            if hasattr(parts, "close"):
                parts.close()


class Watch(Browser):
    """A browser that remembers the addresses of all its requests."""

    def __init__(self):
        self.asked = []
        super().__init__()

    def take(self, message):
        if message.get("method") == "Network.requestWillBeSent":
            self.asked.append(message["params"]["request"]["url"])
        super().take(message)


def paid(browser):
    browser.wait("document.getElementById('status').textContent.includes('It is paid')", None, 30)


def swish(browser, shop, psp):
    browser.open(shop, True)
    browser.wait("!!document.getElementById('swish')", None, 15)
    browser.evaluate("document.getElementById('swish').click()")
    link = browser.wait("document.getElementById('open')?.href", None, 15)
    # There is no app that the link could open; it would only leave the page.
    browser.evaluate("document.getElementById('open').href = '#'")
    browser.evaluate("document.getElementById('open').click()")
    token = re.search("token=([^&]+)", link).group(1)
    urllib.request.urlopen(f"{psp}/sandbox/swish/{token}?decision=approve").read()
    paid(browser)


def card(browser, shop):
    browser.open(shop, True)
    browser.wait("!!document.getElementById('card')", None, 15)
    browser.evaluate("document.getElementById('card').click()")
    for field, value in CARD.items():
        browser.wait(f"!!document.getElementById('{field}')", "/psp/menu/", 15)
        browser.evaluate(f"document.getElementById('{field}').value = '{value}'", "/psp/menu/")
    browser.evaluate("document.getElementById('pay').click()", "/psp/menu/")
    # The issuer's challenge, in the PSP's page.
    browser.wait("!!document.getElementById('approve')", "/psp/menu/", 15)
    browser.evaluate("document.getElementById('approve').click()", "/psp/menu/")
    paid(browser)


def refused(shop, browser, token):
    """What the shop does not pass on: addresses that are not a payer's, and the shop's token."""
    session = re.search("/pay/([0-9a-f-]+)", " ".join(browser.asked)).group(1)
    for method, path in [
        ("GET", "story"), ("GET", "events"), ("POST", "abort"), ("POST", "payer-tokens"),
        ("GET", "actions/a-1/page/../../story"), ("GET", "%2e%2e"), ("DELETE", ""), ("GET", "stream%3f"),
    ]:
        yield f"{shop}/pay/{session}/{path}", method, "ppt_x", {404, 405}
    yield f"{shop}/pay/{session}", "GET", token, {401}
    yield f"{shop}/pay/{session}", "GET", "ppt_x", {401}
    yield f"{shop}/v1/sessions", "GET", "ppt_x", {404}


def main(service, token, psp):
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    os.environ.update(SERVICE=service, TOKEN=token, PSP=psp, PORT="0")
    spec = importlib.util.spec_from_file_location("shop", EXAMPLE)
    shop = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shop)
    recorder = Recorder(shop.app.wsgi_app)
    server = make_server("127.0.0.1", 0, recorder, threaded=True)
    shop.SHOP = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Watch()
    try:
        browser.new_page()
        swish(browser, shop.SHOP, psp)
        print("paid with Swish in the browser")
        card(browser, shop.SHOP)
        print("paid with a challenged card in the browser")
        assert not [url for url in browser.asked if url.startswith(service)], browser.asked
        assert browser.evaluate("document.cookie") == ""
    finally:
        browser.end()
    for url, method, cookie, codes in refused(shop.SHOP, browser, token):
        request = urllib.request.Request(url, method=method, headers={"Cookie": f"payer={cookie}"})
        try:
            code = urllib.request.urlopen(request, timeout=20).status
        except urllib.error.HTTPError as error:
            code = error.code
        assert code in codes, f"{method} {url}: {code}"
    server.shutdown()
    said = b"\n".join(recorder.said)
    assert b"ppt_" in said and b"completed" in said, "nothing was recorded"
    for secret in [token, token.rpartition("_")[2], "/psp/paymentsessions/"]:
        assert secret.encode() not in said, "the browser received a secret of the shop"
    print(f"none of {len(said)} bytes of responses is a secret of the shop")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

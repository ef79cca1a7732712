#!/usr/bin/env python3
"""Drives a headless Chromium for a test, with nothing but the standard library.

Reads one JSON command per line from standard input and answers with one JSON line. It talks to the
browser over the DevTools protocol on a pair of pipes, and runs a web server that serves what the
test hands it and remembers what was posted to it.

  {"do": "serve", "path": P, "status": N, "headers": [[N, V]], "body": TEXT,
   "behaviour": "hang" | "reset"}
  {"do": "open", "url": U, "scripts": BOOL}
  {"do": "wait", "for": EXPRESSION, "frame": PART, "seconds": N}
  {"do": "evaluate", "expression": E, "frame": PART}
  {"do": "click", "selector": S, "frame": PART}
  {"do": "press", "key": NAME}
  {"do": "look", "width": N, "height": N, "dark": BOOL, "print": BOOL}
  {"do": "block", "urls": [PATTERN]}
  {"do": "picture", "file": PATH}
  {"do": "requests"}    {"do": "navigations"}    {"do": "console"}
"""

import base64
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

STEP = 0.05
LIMIT = 30
# The keys that are pressed: their codes, and the text that they type.
KEYS = {
    "Tab": (9, ""), "Enter": (13, "\r"), "End": (35, ""), "Home": (36, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""),
    "ArrowRight": (39, ""), "ArrowDown": (40, ""),
}


class Failure(Exception):
    """What the test is told."""


class Site(http.server.BaseHTTPRequestHandler):
    """The web server: scripted answers by path, and a record of every request."""

    protocol_version = "HTTP/1.1"
    answers = {}
    requests = []
    lock = threading.Lock()

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        path = self.path.split("?", 1)[0]
        with Site.lock:
            Site.requests.append({
                "method": self.command, "path": self.path, "body": base64.b64encode(body).decode(),
                "contentType": self.headers.get("Content-Type") or "",
                "origin": self.headers.get("Origin") or "", "referer": self.headers.get("Referer") or "",
            })
            reply = Site.answers.get(path)
        if reply is None:
            reply = {"status": 404, "headers": [], "body": "nothing here"}
        if reply.get("behaviour") == "hang":
            time.sleep(LIMIT)
            self.close_connection = True
            return
        if reply.get("behaviour") == "reset":
            self.close_connection = True
            self.connection.close()
            return
        text = (reply.get("body") or "").encode()
        self.send_response(reply.get("status", 200))
        for name, value in reply.get("headers") or []:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_POST = do_HEAD = answer

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass


class Browser:
    """A Chromium at the other end of two pipes."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise Failure("there is no chromium in PATH; run 'scripts/install-packages --tests'")
        self.profile = tempfile.mkdtemp(prefix="browser-")
        to_child, self.commands = os.pipe()
        self.events, from_child = os.pipe()

        def arrange():
            # The browser reads commands from descriptor 3 and writes to descriptor 4.
            a, b = os.dup(to_child), os.dup(from_child)
            os.dup2(a, 3)
            os.dup2(b, 4)

        arguments = [
            program, "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-extensions", "--mute-audio", "--no-proxy-server",
            "--disable-site-isolation-trials", "--disable-features=IsolateOrigins,site-per-process",
            "--user-data-dir=" + self.profile, "about:blank",
        ]
        if os.geteuid() == 0:
            arguments.insert(1, "--no-sandbox")
        self.process = subprocess.Popen(
            arguments, close_fds=False, preexec_fn=arrange,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.answered = {}
        self.contexts = {}
        self.navigations = []
        self.console = []
        self.count = 0
        self.session = None
        self.changed = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        pending = b""
        while True:
            try:
                part = os.read(self.events, 1 << 16)
            except OSError:
                part = b""
            if not part:
                with self.changed:
                    self.answered["end"] = {"error": {"message": "the browser ended"}}
                    self.changed.notify_all()
                return
            pending += part
            while b"\0" in pending:
                line, pending = pending.split(b"\0", 1)
                self.take(json.loads(line))

    def take(self, message):
        with self.changed:
            if "id" in message:
                self.answered[message["id"]] = message
                self.changed.notify_all()
                return
            method, what = message.get("method"), message.get("params", {})
            if method == "Runtime.executionContextCreated":
                context = what["context"]
                if context.get("auxData", {}).get("isDefault"):
                    self.contexts[context["auxData"]["frameId"]] = context["id"]
            elif method == "Network.requestWillBeSent" and what.get("type") == "Document":
                self.navigations.append(what["request"]["url"])
            elif method == "Page.frameRequestedNavigation":
                self.navigations.append(what["url"])
            elif method == "Runtime.consoleAPICalled":
                self.console.append(" ".join(str(a.get("value")) for a in what["args"]))
            elif method == "Log.entryAdded":
                self.console.append(what["entry"]["text"])

    def send(self, method, parameters=None, session=True):
        with self.changed:
            self.count += 1
            number = self.count
        message = {"id": number, "method": method, "params": parameters or {}}
        if session and self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        with self.changed:
            self.changed.wait_for(lambda: number in self.answered or "end" in self.answered, LIMIT)
            answer = self.answered.pop(number, None) or self.answered.get("end")
        if answer is None:
            raise Failure(method + " was not answered in time")
        if "error" in answer:
            raise Failure(method + ": " + answer["error"]["message"])
        return answer["result"]

    def new_page(self):
        target = self.send("Target.createTarget", {"url": "about:blank"}, session=False)["targetId"]
        attached = self.send("Target.attachToTarget", {"targetId": target, "flatten": True}, session=False)
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log"]:
            self.send(domain + ".enable")

    def open(self, url, scripts):
        self.send("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        self.send("Page.navigate", {"url": url})

    def frames(self, tree):
        yield tree["frame"]
        for child in tree.get("childFrames", []):
            yield from self.frames(child)

    def evaluate(self, expression, part=None):
        frames = list(self.frames(self.send("Page.getFrameTree")["frameTree"]))
        frame = frames[0] if part is None else next((f for f in frames if part in f["url"]), None)
        if frame is None:
            raise Failure("no frame shows " + part + "; frames: " + ", ".join(f["url"] for f in frames))
        parameters = {"expression": expression, "returnByValue": True, "userGesture": True, "awaitPromise": True,
                      "allowUnsafeEvalBlockedByCSP": False}
        if part is not None:
            with self.changed:
                parameters["contextId"] = self.contexts.get(frame["id"], 0)
        result = self.send("Runtime.evaluate", parameters)
        if "exceptionDetails" in result:
            raise Failure(json.dumps(result["exceptionDetails"].get("exception", {}).get("description")))
        return result["result"].get("value")

    def wait(self, expression, part, seconds):
        end = time.monotonic() + seconds
        why = ""
        while time.monotonic() < end:
            try:
                value = self.evaluate(expression, part)
                if value:
                    return value
            except Failure as failure:
                why = str(failure)
            time.sleep(STEP)
        try:
            shown = self.evaluate("location.href + ' ' + document.documentElement.outerHTML.slice(0, 2000)")
        except Failure as failure:
            shown = str(failure)
        raise Failure("did not come: %s %s\npage: %s\nconsole: %s" % (expression, why, shown, self.console))

    def look(self, width, height, dark, paper):
        self.send("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.send("Emulation.setEmulatedMedia", {
            "media": "print" if paper else "screen",
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def press(self, key):
        code, text = KEYS[key]
        stroke = {"key": key, "code": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code}
        self.send("Input.dispatchKeyEvent", dict(stroke, type="keyDown", text=text) if text else
                  dict(stroke, type="rawKeyDown"))
        self.send("Input.dispatchKeyEvent", dict(stroke, type="keyUp"))

    def picture(self, path):
        data = self.send("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def end(self):
        try:
            self.send("Browser.close", session=False)
        except (Failure, OSError):
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def perform(browser, command):
    what = command["do"]
    if what == "serve":
        with Site.lock:
            Site.answers[command["path"]] = command
        return None
    if what == "open":
        return browser.open(command["url"], command.get("scripts", True))
    if what == "wait":
        return browser.wait(command["for"], command.get("frame"), command.get("seconds", 15))
    if what == "evaluate":
        return browser.evaluate(command["expression"], command.get("frame"))
    if what == "click":
        selector = json.dumps(command["selector"])
        browser.wait("!!document.querySelector(%s)" % selector, command.get("frame"), 15)
        return browser.evaluate("document.querySelector(%s).click()" % selector, command.get("frame"))
    if what == "requests":
        with Site.lock:
            return list(Site.requests)
    if what == "navigations":
        return browser.navigations
    if what == "console":
        return browser.console
    if what == "look":
        return browser.look(command["width"], command["height"], command.get("dark", False),
                            command.get("print", False))
    if what == "press":
        return browser.press(command["key"])
    if what == "picture":
        return browser.picture(command["file"])
    if what == "block":
        return browser.send("Network.setBlockedURLs", {"urls": command["urls"]}) and None
    raise Failure("no such command: " + what)


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = None
    try:
        try:
            browser = Browser()
            browser.new_page()
        except (Failure, OSError) as failure:
            print(json.dumps({"error": str(failure)}), flush=True)
            return
        print(json.dumps({"value": "http://127.0.0.1:%d" % server.server_address[1]}), flush=True)
        for line in sys.stdin:
            try:
                answer = {"value": perform(browser, json.loads(line))}
            except Failure as failure:
                answer = {"error": str(failure)}
            print(json.dumps(answer), flush=True)
    finally:
        if browser is not None:
            browser.end()


if __name__ == "__main__":
    main()

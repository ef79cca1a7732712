"""Attacks of who calls the merchant backend, and of who sets the environment."""
import http.client
import json
import os
import ssl
import subprocess

from world import attack, expect

VICTIM = '{"payerReference":"victim"}'
MEMBERS = (
    f'"Payer":{VICTIM}', f'"PAYER":{VICTIM}', '"payer":{"PayerReference":"victim"}',
    '"payer":{"payer_reference":"victim"}', f'"\uff50ayer":{VICTIM}', f'"p\u0430yer":{VICTIM}',
    f'"payer\u200b":{VICTIM}', '"Operation":"Recur"', '"PayeeInfo":{"payeeId":"thief"}',
    '"GenerateRecurrenceToken":true', '"generate_unscheduled_token":true', '"nobodyKnows":{"a":1}',
)
URLS = '"hostUrls":["https://shop.example/"],"completeUrl":"https://shop.example/complete"'


def order(urls=URLS, payee="", more=""):
    return ('{"paymentorder":{"productName":"Checkout3","operation":"Purchase","currency":"SEK",'
            '"amount":10000,"vatAmount":2000,"description":"Lamp","language":"sv-SE",'
            '"urls":{' + urls + ',"cancelUrl":"https://shop.example/cancel"},'
            '"payeeInfo":{"payeeId":"","payeeReference":"","orderReference":"1001"' + payee + "}"
            + more + "}}")


@attack("backend-members", "write what the merchant backend does not know, or knows in another spelling")
def backend_members(world):
    child = subprocess.Popen(
        [world.program, "sandbox", "--port", "0", "--merchant-backend", "0", "--json"],
        stdout=subprocess.PIPE, text=True, cwd=world.folder, env=world.environment)
    world.children.append(child)
    told = json.loads(child.stdout.readline())
    backend = told["backendURL"].split("//")[1].split("/")[0]

    def create(body):
        connection = http.client.HTTPConnection(backend, timeout=30)
        connection.request("POST", "/payments/paymentorders", body.encode(), {
            "Content-Type": "application/json", "Authorization": "Bearer sandbox"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def orders():
        return len(world.ledger(told["baseURL"])["orders"])
    status, text = create(order())
    expect(status in (200, 201) and orders() == 1, f"an honest order is refused: {status} {text}")
    bodies = [order(more="," + member) for member in MEMBERS]
    bodies += [order(urls='"CallbackUrl":"https://evil.example/",' + URLS)]
    bodies += [order(payee=f',"{name}":"thief"') for name in ("PayeeId", "payee_id")]
    bodies += [order().replace("{", '{"paymentOrder":{"payer":' + VICTIM + "},", 1)]
    for body in bodies:
        status, _ = create(body)
        expect(400 <= status < 500, f"{status} for {body}")
    expect(orders() == 1, "one of them reached the PSP")
    for name in ("subsite", "siteId", "payeeName"):
        create(order(payee=f',"{name}":"thief"'))
    expect("thief" not in json.dumps(world.ledger(told["baseURL"])), "somebody else is paid")


@attack("tls-secrets", "ask libcurl for the keys of TLS connections with SSLKEYLOGFILE")
def tls_secrets(world):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
         "key.pem", "-out", "ca.pem"], check=True, stderr=subprocess.DEVNULL, cwd=world.folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(world.folder + "/ca.pem", world.folder + "/key.pem")
    came = []
    address = world.serve(lambda *request: came.append(request) or (200, {}, b""))
    server = world.servers[-1]
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(world.folder + "/trust.json", "w") as file:
        json.dump({"authorityFile": "ca.pem"}, file)
    secrets = world.folder + "/secrets"
    said = world.run("--config", "trust.json", "doctor", "--psp",
                     address.replace("http://127.0.0.1", "https://localhost"), SSLKEYLOGFILE=secrets)
    expect(came != [], "the server was not asked: " + "".join(said[1:]))
    expect(not os.path.exists(secrets), "the keys were written down")
    expect("SSLKEYLOGFILE" in said[1], "doctor says nothing of it")

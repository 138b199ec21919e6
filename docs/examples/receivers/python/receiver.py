"""A webhook receiver for Python 3.9 or later, without dependencies:
PORT=8080 VERIFY_TOKEN=… WEBHOOK_HMAC_SECRET=whsec_… python3 receiver.py
"""

import base64
import hashlib
import hmac
import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PORT = int(os.environ.get("PORT", "8080"))
VERIFY_TOKEN = os.environ.get("VERIFY_TOKEN", "")
SECRET = os.environ.get("WEBHOOK_HMAC_SECRET", "")
for name in ("VERIFY_TOKEN", "WEBHOOK_HMAC_SECRET"):
    if not os.environ.get(name):
        raise SystemExit(f"receiver: {name} is not set. `channels env` prints the values of a channel.")
if os.environ.get("SIGNATURE", "service") not in ("service", "standard"):
    raise SystemExit("receiver: SIGNATURE must be service or standard.")

MAX_BODY_BYTES = 4 * 1024 * 1024  # the largest delivery
TOLERANCE_SECONDS = 5 * 60
REMEMBERED = 10_000
seen = {}  # delivery ids, oldest first
seen_lock = threading.Lock()
waiting = queue.Queue(maxsize=1_000)


def has_service_signature(headers, body):
    """Verifies X-Service-Signature-256 over the raw body. During a rotation the header has one signature per secret. It does
    not cover the delivery id and the time, so a captured request can be replayed under another id.
    SIGNATURE=standard prevents that."""
    expected = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    given = headers.get("X-Service-Signature-256", "").split(",")
    return any(is_same(one.strip(), expected) for one in given)


def has_standard_signature(headers, body):
    """Verifies webhook-signature (Standard Webhooks), which also covers the id and the time, so old requests are refused."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    try:
        age_seconds = abs(time.time() - int(timestamp))
    except (ValueError, OverflowError):  # not a number, or out of range
        return False
    if age_seconds > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(is_same(one, expected) for one in headers.get("webhook-signature", "").split(" "))


def is_same(given, expected):
    return hmac.compare_digest(given.encode(), expected.encode())


schemes = {"service": has_service_signature, "standard": has_standard_signature}
is_genuine = schemes[os.environ.get("SIGNATURE", "service")]


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # seconds without data from the sender

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        token = query.get("hub.verify_token", [""])[0]
        if query.get("hub.mode") == ["subscribe"] and is_same(token, VERIFY_TOKEN):
            return self.answer(200, VERIFY_TOKEN)
        self.answer(403)

    def do_POST(self):
        length = self.headers.get("Content-Length", "0")
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdigit()):
            self.close_connection = True  # chunked bodies are not supported; deliveries have a length
            return self.answer(411)
        body = self.rfile.read(min(int(length), MAX_BODY_BYTES + 1))
        if len(body) > MAX_BODY_BYTES:
            self.close_connection = True
            return self.answer(413)
        if len(body) < int(length):  # the sender has disconnected
            self.close_connection = True
            return self.answer(400)
        if self.headers.get("X-Service-Probe") and not body:
            return self.answer(204)  # the unsigned probe: answer it and do nothing
        if not is_genuine(self.headers, body):
            return self.answer(401)

        # Equal to X-Service-Delivery-Id, but covered by webhook-signature.
        delivery_id = self.headers.get("webhook-id")
        if not delivery_id:
            return self.answer(400)
        self.answer(accept(delivery_id, self.headers.get("X-Service-Event-Type"), body))

    def answer(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        if status != 204:
            self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        if status != 204:
            self.wfile.write(text.encode())

    def log_message(self, *_):
        """Disables the default log line per request."""


def accept(delivery_id, event_type, body):
    """Accepts a delivery once and returns the status. In production, insert the id (unique) and the body into your database
    here, in one transaction. Then answer, and process the events from that table. This memory is lost on exit."""
    with seen_lock:
        if delivery_id in seen:
            return 200
        try:
            waiting.put_nowait((event_type, delivery_id, body))
        except queue.Full:
            return 503  # it will be retried
        seen[delivery_id] = True
        if len(seen) > REMEMBERED:
            del seen[next(iter(seen))]
        return 200


def work():
    """Processes events, after the response."""
    while True:
        event_type, delivery_id, body = waiting.get()
        print(f"{event_type} {delivery_id} {len(body)} bytes", flush=True)


threading.Thread(target=work, daemon=True).start()
ThreadingHTTPServer.request_queue_size = 128  # allows bursts of connections
server = ThreadingHTTPServer(("", PORT), Receiver)
print(f"listening on {PORT}", flush=True)
server.serve_forever()

"""Serves a fleet over HTTP: `/ask` and `/health`, with the fields, answers and errors of `whichfn serve`."""

import json
import re
import sys
import time
from argparse import Namespace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from .engines import Json
from .fleet import Fleet

LOOPBACK = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)(:\d+)?")
LISTS, LONGEST_BODY = ("repos", "teams", "languages", "paths"), 4 << 20


def refusal(what: str, advice: str) -> Json:
    return {"version": 1, "error": {"what": what, "next": advice}}


class Handler(BaseHTTPRequestHandler):
    """The request handler. Without a file of tokens, it only accepts programs on this machine, and no web pages."""

    protocol_version, timeout = "HTTP/1.1", 20
    fleet: Fleet
    args: Namespace

    def do_GET(self) -> None:
        try:
            status, value = self.answer()
        except ValueError as cause:
            status, value = 400, refusal(str(cause), "see packaging/fleet/README.md for the fields of /ask")
        except Exception as cause:
            status, value = 503, refusal(f"{type(cause).__name__}: {cause}", "try again")
        data = json.dumps(value).encode()
        self.send_response(status)
        for header in ("Content-Type: application/json", f"Content-Length: {len(data)}", "Cache-Control: no-store"):
            self.send_header(*header.split(": "))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET

    def answer(self) -> tuple[int, Json]:
        """Returns the status and the value for the address. Raises ValueError for an invalid request."""
        groups, host, origin = self.args.group, self.headers.get("Host", ""), self.headers.get("Origin")
        if self.args.tokens:
            tokens = json.loads(Path(self.args.tokens).read_text())
            if (groups := tokens.get(self.headers.get("Authorization", "").removeprefix("Bearer "))) is None:
                return 401, refusal("this server requires a token", "send the header `Authorization: Bearer TOKEN`")
        elif not LOOPBACK.fullmatch(host) or origin not in (None, f"http://{host}"):
            return 403, refusal(f"`{origin or host}` may not use this server", "connect from this machine, by its loopback address")
        if (length := int(self.headers.get("Content-Length") or 0)) > LONGEST_BODY:
            return 413, refusal(f"the body has {length} bytes", f"send at most {LONGEST_BODY}")
        address, body = urlsplit(self.path), json.loads(self.rfile.read(length) or b"{}")
        if address.path == "/health":
            workers = self.fleet.ping(1.0)
            return 200, {"version": 1, "status": "ok" if all(workers) else "short", "workers": workers, "sequence": self.fleet.sequence}
        if address.path != "/ask":
            return 404, refusal(f"no such address: `{address.path}`", "use /ask?question=.. or /health")
        fields = {name: several if name in LISTS else several[-1] for name, several in parse_qs(address.query).items()} | body
        query = {"k": int(fields.pop("k", 10)), "lines": int(fields.pop("snippet_lines", 0)), "groups": groups}
        if wrong := fields.keys() - {"question", "kind", *LISTS}:
            raise ValueError(f"unknown field `{min(wrong)}`")
        return 200, self.fleet.ask(fields | query)

    def log_message(self, *_: object) -> None:
        """Logs nothing, because questions are private."""


def serve(args: Namespace) -> int:
    """Serves until it is interrupted, and checks for a new catalog each second. Raises ValueError if anyone could connect."""
    if not args.tokens and not LOOPBACK.fullmatch(args.host):
        raise ValueError(f"other machines can reach {args.host}: pass --tokens FILE, or omit --host")
    Handler.fleet, Handler.args = Fleet(args), args
    server = ThreadingHTTPServer((args.host, args.port), Handler)
    print(f"http://{args.host}:{server.server_address[1]}/", flush=True)
    Thread(target=server.serve_forever, daemon=True).start()
    while True:
        time.sleep(1)
        try:
            Handler.fleet.reload()
        except Exception as cause:  # the previous catalog stays in use; /health reports its number
            print(f"whichfn-fleet: cannot read the new catalog: {cause}", file=sys.stderr, flush=True)

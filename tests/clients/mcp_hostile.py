"""Hostile MCP servers for `mcp_faults.py`.

    python tests/clients/mcp_hostile.py FAULT     a server over standard input and output

`serve` starts one over HTTP, with the fault as the path of its URL.
"""

import http.server
import json
import sys
import threading

HUNDRED_MB = 100 * 1000 * 1000
FLOOD = 1_000_000
TOOL = {"name": "read", "description": "Reads.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}


def encoded(message):
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


def progress(token, at):
    params = {"progressToken": token, "progress": at, "message": "x" * 100}
    return encoded({"method": "notifications/progress", "params": params})


CHANGED = encoded({"method": "notifications/tools/list_changed"})


class Remote:
    """Answers all requests of one client, up to the one that its fault is about."""

    def __init__(self, fault):
        self.at, _, self.fault = fault.partition("-")
        self.lists = 0

    def result(self, request):
        method, params = request["method"], request.get("params", {})
        if method == "initialize":
            capabilities = {"tools": {"listChanged": True}}
            server = {"name": "hostile", "version": "1"}
            return {"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": server}
        if method == "tools/list":
            self.lists += 1
            if self.fault == "pages":  # each with a tool of 10 MB
                tool = {**TOOL, "name": f"read_{self.lists}", "description": "x" * 10_000_000}
                return {"tools": [tool], "nextCursor": str(self.lists)}
            return {"tools": [TOOL]}
        if method == "tools/call":
            return {"content": [{"type": "text", "text": f"listed {self.lists} times"}]}
        return None

    def answer(self, request):
        result = self.result(request)
        if result is None:
            return encoded({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
        return encoded({"id": request["id"], "result": result})

    def is_faulty(self, request):
        return request["method"] == "tools/" + self.at

    def large(self, request):
        """An answer of 100 MB, in pieces."""
        yield self.answer(request)[:-1] + b', "padding": "'
        for _ in range(100):
            yield b"x" * (HUNDRED_MB // 100)
        yield b'"}'


def endless(piece):
    while True:
        yield piece


def lines(remote, request):
    """The bytes of an answer over standard output."""
    answer = remote.answer(request) + b"\n"
    token = request.get("params", {}).get("_meta", {}).get("progressToken")
    match remote.fault if remote.is_faulty(request) else None:
        case "line":
            yield from remote.large(request)
            yield b"\n"
        case "endless":
            yield from endless(b"x" * 1_000_000)
        case "progress":
            for start in range(0, FLOOD, 1000):
                yield b"".join(progress(token, at + 1) + b"\n" for at in range(start, start + 1000))
            yield answer
        case "changed":
            for _ in range(100):
                yield (CHANGED + b"\n") * 1000
            yield answer
        case "ids":
            wrong = {"content": [{"type": "text", "text": "wrong"}]}
            yield encoded({"id": 123456, "result": wrong}) + b"\n"
            yield encoded({"id": "unknown", "result": wrong}) + b"\n"
            yield answer
            yield encoded({"id": request["id"], "result": wrong}) + b"\n"
        case _:
            yield answer


def over_stdio(fault):
    remote = Remote(fault)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "id" in request:
            for piece in lines(remote, request):
                sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers in JSON, or with a stream of events."""

    remotes = {}

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_error(405)

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in request:
            self.send_response(202)
            self.end_headers()
            return
        remote = self.remotes.setdefault(self.path, Remote(self.path[1:]))
        fault = remote.fault if remote.is_faulty(request) else None
        events = fault in ("event", "endless", "unfinished")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if events else "application/json")
        self.end_headers()
        try:
            self.write_answer(remote, request, fault)
        except OSError:
            pass  # the client has given up

    def write_answer(self, remote, request, fault):
        match fault:
            case "json":
                pieces = remote.large(request)
            case "event":
                pieces = [b"data: ", *remote.large(request), b"\n\n"]
            case "endless":
                pieces = endless(b"data: " + CHANGED + b"\n\n")
            case "unfinished":
                pieces = endless(b"data: " + b"x" * 1_000_000 + b"\n")
            case "headers":
                self.wfile.flush()
                self.rfile.read(1)  # until the client closes
                return
            case _:
                pieces = [remote.answer(request)]
        for piece in pieces:
            self.wfile.write(piece)


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


if __name__ == "__main__":
    try:
        over_stdio(sys.argv[1])
    except BrokenPipeError:
        pass

"""Server processes with their memory, and requests of both eras written by hand, for `mcp_faults.py`."""

import json
import os
import socket
import subprocess
import time
from urllib.parse import urlsplit

STATELESS, EARLIER = "2026-07-28", "2025-11-25"
META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientInfo": {"name": "faults", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def memory(process, what="VmRSS"):
    """The resident memory of a process in MB: now, or with `VmHWM` the most so far."""
    with open(f"/proc/{process.pid}/status") as status:
        line = next(line for line in status if line.startswith(what))
    return int(line.split()[1]) // 1000


class Server:
    """A server over HTTP in a process of its own."""

    def __init__(self, *command):
        # otherwise, glibc keeps most of the memory that a flood has freed
        environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "4096"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.url = self.process.stdout.readline().strip()
        self.before = memory(self.process)

    def memory(self):
        return f"{self.before} MB before, at most {memory(self.process, 'VmHWM')}, {memory(self.process)} after"

    def peak(self):
        return memory(self.process, "VmHWM")

    def gives_back(self, full):
        """Waits until at least half of the memory for a flood is free."""
        until(60, lambda: memory(self.process) < (full + self.before) // 2)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Connection:
    """A connection whose requests are written by hand."""

    def __init__(self, url, timeout=120):
        self.url = urlsplit(url)
        self.socket = socket.create_connection((self.url.hostname, self.url.port), timeout=timeout)
        self.buffer = b""

    def send(self, headers, body=b"", method="POST", length=None):
        head = f"{method} /mcp HTTP/1.1\r\nHost: {self.url.netloc}\r\nContent-Type: application/json\r\n"
        head += "Accept: application/json, text/event-stream\r\n"
        if method == "POST":
            length = len(body) if length is None else length
            head += f"Content-Length: {length}\r\n" if length >= 0 else "Transfer-Encoding: chunked\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self.socket.sendall(head.encode() + b"\r\n" + body)

    def until(self, end):
        while end not in self.buffer:
            piece = self.socket.recv(65536)
            if not piece:
                raise ConnectionError(f"closed after {self.buffer!r}")
            self.buffer += piece
        read, _, self.buffer = self.buffer.partition(end)
        return read

    def head(self):
        head = self.until(b"\r\n\r\n").decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:])
        return int(head[0].split(" ")[1]), headers

    def answer(self):
        """The status and the body, which is small or has one event at the end."""
        status, headers = self.head()
        if "content-length" in headers:
            length = int(headers["content-length"])
            while len(self.buffer) < length:
                self.buffer += self.socket.recv(65536)
            body, self.buffer = self.buffer[:length], self.buffer[length:]
            return status, body.decode(), headers
        body = b""
        while size := int(self.until(b"\r\n"), 16):
            while len(self.buffer) < size + 2:
                self.buffer += self.socket.recv(65536)
            body, self.buffer = body + self.buffer[:size], self.buffer[size + 2 :]
        self.until(b"\r\n")
        return status, body.decode(), headers


def request(method, params, era=STATELESS, identity=1):
    if era == STATELESS:
        params = {**params, "_meta": META}
    return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode()


def standard(method, name=None, **headers):
    named = {"Mcp-Name": name} if name else {}
    return {"MCP-Protocol-Version": STATELESS, "Mcp-Method": method, **named, **headers}


def called(connection, name, arguments, **headers):
    body = request("tools/call", {"name": name, "arguments": arguments})
    connection.send(standard("tools/call", name, **headers), body)
    status, body, _ = connection.answer()
    return status, body


def works(url):
    """Whether a new client can call."""
    status, body = called(Connection(url, 10), "notes", {})
    return status == 200 and '"isError":false' in body


def opened(url):
    """A session of the earlier era: the headers of its requests."""
    params = {"protocolVersion": EARLIER, "clientInfo": {"name": "faults", "version": "1"}, "capabilities": {}}
    connection = Connection(url)
    connection.send({"Connection": "close"}, request("initialize", params, EARLIER))
    status, _, headers = connection.answer()
    assert status == 200, status
    session = {"Mcp-Session-Id": headers["mcp-session-id"], "MCP-Protocol-Version": EARLIER}
    connection = Connection(url)
    connection.send(session, b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert connection.head()[0] == 202
    return session


def until(seconds, condition):
    """Waits for a condition."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("it took too long")
        time.sleep(0.5)

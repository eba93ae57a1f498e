"""Floods and hostile peers of MCP, with real processes. Needs Linux, for the memory of a process.

    python tests/clients/mcp_faults.py FAULTS OFFICE      the programs `tests/examples/mcp_faults.rs` and `mcp_office.rs`
"""

import json
import os
import resource
import select
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import mcp_hostile
from mcp_wire import EARLIER, Connection, Server, called, memory, opened, request, standard, until, works

PRINCIPALS, MORE = 10_000, 200
STREAMS = 9_000
GB = 1000 * 1000 * 1000
FAULTS, OFFICE = sys.argv[-2:]


def principals():
    with Server(FAULTS, "principals") as server:
        connection = Connection(server.url)

        def call(name, tool, arguments={}):
            return called(connection, tool, arguments, Authorization=f"Bearer {name}")

        def flood(names):
            for name in names:
                # right after the idle time, some earlier principals are still there
                until(120, lambda: call(name, "add_note", {"text": name})[0] == 200)
            for name in names:
                status, body = call(name, "notes")
                assert status == 200 and f'"structuredContent":["{name}"]' in body, (name, status, body)

        flood([f"principal-{number}" for number in range(PRINCIPALS)])
        full = server.peak()
        for number in range(MORE):
            status, body = call(f"late-{number}", "notes")
            assert status == 503 and "too many clients are connected" in body, (status, body)
        connection.socket.close()
        until(420, lambda: called(Connection(server.url), "notes", {}, Authorization="Bearer later")[0] == 200)
        connection = Connection(server.url)
        # glibc keeps memory in small pieces, so that free memory shows in the need of others
        flood([f"other-{number}" for number in range(PRINCIPALS - 1)])
        assert server.peak() < full + (full - server.before) // 4, server.memory()
        each = f"{PRINCIPALS} with an agent each, {MORE} more got 503"
        print(f"principals: {each}; {server.before} MB before, at most {full}, and with as many others after the idle time {server.peak()}", flush=True)


def listening(url):
    """Opens streams of both eras, prints what happened, and holds them."""
    streams, sessions = [], [opened(url) for _ in range(900)]

    def of_session(number):
        connection = Connection(url)
        connection.send(sessions[number % len(sessions)], method="GET")
        return connection

    def stateless(number):
        connection = Connection(url)
        body = request("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        connection.send(standard("subscriptions/listen"), body)
        return connection

    for number in range(STREAMS // 2):
        for stream in (of_session, stateless):
            connection = stream(number)
            assert connection.head()[0] == 200
            streams.append(connection)
    over = {"GET": of_session(0).answer(), "listen": stateless(0).answer()}
    print(json.dumps({era: [status, body] for era, (status, body, _) in over.items()}), flush=True)
    sys.stdin.read()


def streams():
    with Server(OFFICE, "http") as server:
        command = [sys.executable, __file__, "--listening", server.url, FAULTS, OFFICE]
        flood = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        over = json.loads(flood.stdout.readline())
        for era, (status, body) in over.items():
            assert "too many clients listen for changes" in body, (era, status, body)
        assert works(server.url)
        full = memory(server.process)
        flood.kill()
        flood.wait()
        server.gives_back(full)
        assert works(server.url)
        refused = ", ".join(f"{era} {status}" for era, (status, _) in over.items())
        print(f"streams: {STREAMS} open, further ones refused ({refused}), calls go on; {server.memory()} the kill", flush=True)


def sent(url, length):
    """Sends a body of 1 GB, and returns the status and how much was sent until it came, and in all."""
    connection = Connection(url)
    connection.send(standard("tools/call", "notes"), length=length)
    piece = b"x" * 100_000
    if length < 0:
        piece = f"{len(piece):x}\r\n".encode() + piece + b"\r\n"
    status, until_status, total = None, None, 0
    try:
        while total < GB:
            if status is None and select.select([connection.socket], [], [], 0)[0]:
                status, until_status = connection.head()[0], total
            connection.socket.sendall(piece)
            total += len(piece)
    except OSError:
        pass
    if status is None:
        status, until_status = connection.head()[0], total
    return status, until_status, total


def bodies():
    with Server(OFFICE, "http") as server:
        for name, length in (("with", GB), ("without", -1)):
            status, until_status, total = sent(server.url, length)
            assert status == 413 and until_status < 100_000_000, (name, status, until_status)
            print(f"body of 1 GB {name} Content-Length: {status} after {until_status >> 20} MiB, {total >> 20} MiB in all; {server.memory()}", flush=True)
        for kind, body in {
            "nothing but arrays": b"[" * 2_000_000 + b"]" * 2_000_000,
            "arrays in a call": request("tools/call", {"name": "add_note", "arguments": {"text": 0}}).replace(
                b'"text": 0', b'"text": ' + b"[" * 2_000_000 + b"]" * 2_000_000
            ),
        }.items():
            connection = Connection(server.url)
            connection.send(standard("tools/call", "add_note"), body)
            status = connection.head()[0]
            assert status in (400, 415, 422), status
            print(f"body of 4 MB, {kind}: {status}; {server.memory()}", flush=True)
        assert works(server.url) and server.peak() < server.before + 50


def slow_body():
    with Server(OFFICE, "http") as server:
        connection = Connection(server.url)
        connection.send(standard("tools/call", "notes"), length=1000)
        begin, status = time.monotonic(), None
        while status is None:
            connection.socket.sendall(b" ")
            if select.select([connection.socket], [], [], 1)[0]:
                status = connection.head()[0]
        took = time.monotonic() - begin
        assert status == 408 and 55 < took < 70 and works(server.url), (status, took)
        print(f"body of a byte a second: {status} after {took:.0f} s", flush=True)


class Remote:
    """A program with a hostile server in its toolbox."""

    def __init__(self, *server):
        command = [FAULTS, "remote", *server]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, word):
        begin = time.monotonic()
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return answer, time.monotonic() - begin


def hostile(over, fault, expected, seconds):
    """A program with a hostile server. Its error or output has the expected words, and its other tools go on."""
    server = [mcp_hostile.serve() + fault] if over == "HTTP" else [sys.executable, mcp_hostile.__file__, fault]
    remote = Remote(*server)
    guard = threading.Timer(seconds + 60, remote.process.kill)
    guard.start()
    try:
        listed, took = remote.ask("list")
        answer = " ".join(listed["withheld"])
        if fault.startswith("call"):
            assert "far__read" in listed["tools"], listed
            answer, took = remote.ask("far__read")
            answer = answer.get("error") or answer["output"]
        assert expected in answer, (over, fault, answer)
        assert took < seconds, (over, fault, took)
        if fault == "call-changed":
            remote.ask("list")
            again = remote.ask("far__read")[0]["output"]
            assert again in ("listed 2 times", "listed 3 times"), again
            answer += f", then {again}"
        assert remote.ask("notes")[0] == {"output": "[]"}
        peak = memory(remote.process, "VmHWM")
        assert peak < 250, (over, fault, peak)
        print(f"remote over {over}, {fault}: {answer!r} after {took:.1f} s; at most {peak} MB", flush=True)
    finally:
        guard.cancel()
        remote.process.kill()
        remote.process.wait()


REMOTES = [
    ("HTTP", "list-json", "its response has more than 16 MiB", 20),
    ("HTTP", "list-event", "more than 16 MiB", 20),
    ("HTTP", "call-json", "its response has more than 16 MiB", 20),
    ("HTTP", "call-event", "more than 16 MiB", 20),
    ("HTTP", "call-unfinished", "more than 16 MiB", 20),
    ("stdio", "list-line", "more than 16 MiB", 20),
    ("stdio", "list-pages", "more than", 20),
    ("stdio", "call-line", "more than 16 MiB", 20),
    ("stdio", "call-endless", "more than 16 MiB", 20),
    ("stdio", "call-ids", "listed", 20),
    ("stdio", "call-progress", "listed", 300),
    ("stdio", "call-changed", "listed", 120),
]
# these end with a time limit
LATE_REMOTES = [
    ("HTTP", "call-headers", "did not answer within 60s", 70),
    ("HTTP", "call-endless", "did not answer within 60s", 90),
    ("HTTP", "list-headers", "did not list its tools within 10s", 20),
]


def unread_stdio():
    """A client that asks and reads nothing, and then reads everything."""
    command = subprocess.Popen([OFFICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    command.stdin.write(request("tools/list", {}, identity=0) + b"\n")
    command.stdin.flush()
    assert b'"add_note"' in command.stdout.readline()
    before, asked, unwritten = memory(command), 0, b""
    pipe = command.stdin.fileno()
    os.set_blocking(pipe, False)
    while asked < 100_000 and select.select([], [pipe], [], 5)[1]:
        if not unwritten:
            asked += 1
            unwritten = request("tools/list", {}, identity=asked) + b"\n"
        unwritten = unwritten[os.write(pipe, unwritten) :]
    peak = memory(command, "VmHWM")
    os.set_blocking(pipe, True)
    rest = threading.Thread(target=lambda: (command.stdin.write(unwritten), command.stdin.close()))
    rest.start()
    answers = sum(1 for _ in command.stdout)
    rest.join()
    command.kill()
    assert peak < before + 100 and answers == asked, (before, peak, asked, answers)
    print(f"unread answers over stdio: {asked} requests until the server waited, all answered later; {before} MB before, at most {peak}", flush=True)


def unread_http():
    with Server(OFFICE, "http") as server:
        silent = []
        for number in range(200):
            connection = Connection(server.url)
            connection.socket.setblocking(False)
            body, written = request("tools/list", {}), 0
            head = "".join(f"{name}: {value}\r\n" for name, value in standard("tools/list").items())
            head += f"Host: {connection.url.netloc}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
            whole = f"POST /mcp HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
            try:
                while written < 10_000_000:
                    written += connection.socket.send(whole)
            except BlockingIOError:
                pass
            silent.append(connection)
        until(10, lambda: works(server.url))
        assert server.peak() < server.before + 200, server.memory()
        print(f"unread answers over HTTP: {len(silent)} clients with as many requests as fit; {server.memory()}, calls go on", flush=True)


def abandoned_calls():
    """A client of the earlier era that goes away does not end its calls, so their number is limited."""
    with Server(OFFICE, "http") as server:
        session, statuses = opened(server.url), []
        for number in range(1_001):
            connection = Connection(server.url)
            body = request("tools/call", {"name": "wait", "arguments": {}}, EARLIER, number)
            connection.send({**session, "Connection": "close"}, body)
            connection.head()
            if number < 1_000:
                connection.socket.close()
        connection.until(b"too many calls run at the same time")
        print(f"abandoned calls: the next one after 1000 gets an error; {server.memory()}", flush=True)


def main():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if "--listening" in sys.argv:
        return listening(sys.argv[2])
    late = ThreadPoolExecutor()
    waiting = [late.submit(principals), late.submit(slow_body)]
    waiting += [late.submit(hostile, *remote) for remote in LATE_REMOTES]
    bodies()
    unread_stdio()
    unread_http()
    abandoned_calls()
    if most < STREAMS + 1_000:
        print(f"skipped: streams: a process may open {most} files only")
    else:
        streams()
    for remote in REMOTES:
        hostile(*remote)
    for wait in waiting:
        wait.result()


if __name__ == "__main__":
    main()

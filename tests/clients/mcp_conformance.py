"""The conformance suite of MCP against `tests/examples/mcp_office.rs` over HTTP, and the Inspector on the documents of a corpus.

    python tests/clients/mcp_conformance.py OFFICE SKILLS NPM_FOLDER

Without the corpus, which is not part of the repository, the Inspector checks the documents of the examples.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

# The scenarios that need no tools, prompts or resources of their own.
SCENARIOS = [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "prompts-list",
    "resources-list",
    "caching",
    "dns-rebinding-protection",
    "http-header-validation",
    "server-sse-multiple-streams",
    "server-sse-polling",
    "sep-2164-resource-not-found",
    "sep-2640-skills-directory",
    "sep-2640-skills-enumeration",
    "sep-2640-skills-manifest",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
]
REPOSITORY = pathlib.Path(__file__).parents[2]


def documents(folder):
    """A document with a folder, which the scenario about folders needs."""
    document = folder / "first"
    (document / "forms").mkdir(parents=True)
    (document / "SKILL.md").write_text("---\nname: first\ndescription: The first.\n---\n# First\n")
    (document / "forms/one.txt").write_text("one\n")


def scenarios(office, npm):
    node, suite = npm / "node/bin/node", npm / "@modelcontextprotocol/conformance/dist/index.js"
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        documents(pathlib.Path(folder))
        with subprocess.Popen([office, "http", folder], stdout=subprocess.PIPE, text=True) as server:
            try:
                url = server.stdout.readline().strip()
                for scenario in SCENARIOS:
                    command = [node, suite, "server", "--url", url, "--scenario", scenario]
                    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
                    counts = [line for line in run.stdout.splitlines() if line.startswith("Passed:")]
                    print(f"{scenario}: {' '.join(counts)}")
                    if run.returncode != 0 or not counts:
                        failed.append(scenario)
                        print(run.stdout, run.stderr)
            finally:
                server.kill()
    return failed


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
    office, skills, npm = sys.argv[1:]
    npm = pathlib.Path(npm) / "node_modules"
    failed = scenarios(office, npm) + digests(skills, npm)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


main()

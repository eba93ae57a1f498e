"""The MCP clients of Python, `mcp` and `fastmcp`, against `tests/examples/mcp_office.rs`, in both eras, over standard input and output
and over HTTP.

    python tests/clients/mcp_clients.py PROGRAM
"""

import asyncio
import contextlib
import subprocess
import sys

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult

TOOLS = ["add_note", "notes", "shred", "skill", "dig", "wait", "stopped", "grow"]
DOCUMENTS = ["code-review", "cpp-build", "csv-cleaner", "release-notes"]
LATEST = "2026-07-28"


def text(result):
    return "".join(block.text for block in result.content)


def answering(action):
    async def answer(context, params):
        assert params.message == "Run `shred` of `desk` with {}?\n\nDestroy all notes.", params.message
        return ElicitResult(action=action, content={} if action == "accept" else None)

    return answer


@contextlib.asynccontextmanager
async def client(program, mode, **options):
    """A client of a new server: `PROGRAM` over standard input and output, or `PROGRAM http` over HTTP."""
    command, *over_http = program.split(" ")
    if not over_http:
        server = StdioServerParameters(command=command)
        async with Client(server, mode=mode, read_timeout_seconds=30, **options) as office:
            yield office
        return
    with subprocess.Popen([command, "http"], stdout=subprocess.PIPE, text=True) as process:
        try:
            url = process.stdout.readline().strip()
            async with Client(url, mode=mode, read_timeout_seconds=30, **options) as office:
                yield office
        finally:
            process.kill()


async def calls(program, mode):
    async with client(program, mode) as office:
        if mode != LATEST:  # which asks the server nothing
            assert (office.server_info.name, office.server_info.version) == ("office", "1.2.0")
            assert office.instructions == "Keep notes short."
        tools = (await office.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS, tools
        assert tools[1].annotations.read_only_hint is True
        assert tools[2].annotations.destructive_hint is True
        added = await office.call_tool("add_note", {"text": "milk"})
        assert text(added) == "1" and not added.is_error, added
        if office.protocol_version >= LATEST:
            assert added.structured_content == 1, added
        wrong = await office.call_tool("add_note", {"text": ""})
        assert wrong.is_error and "the length 0 is out of range" in text(wrong), wrong
        try:
            await office.call_tool("add_notes", {})
            raise AssertionError("an unknown tool was called")
        except MCPError as error:
            assert "did you mean `add_note`?" in str(error), error
        return office.protocol_version


async def progress(program, mode):
    reports = []

    async def report(progress, total, message):
        reports.append((progress, total, message))

    async with client(program, mode) as office:
        dug = await office.call_tool("dig", {}, progress_callback=report)
        assert text(dug) == "dug", dug
    assert reports == [(float(at), 3.0, "digging") for at in (1, 2, 3)], reports


async def cancellation(program, mode):
    begun = asyncio.Event()

    async def report(progress, total, message):
        begun.set()

    async with client(program, mode) as office:
        waiting = asyncio.create_task(office.call_tool("wait", {}, progress_callback=report))
        await begun.wait()
        assert text(await office.call_tool("stopped", {})) == "0"
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        while text(await office.call_tool("stopped", {})) != "1":
            pass


async def changes(program, mode):
    told = asyncio.Event()

    async def message(message):
        if "ToolListChanged" in type(message).__name__ or "tools/list_changed" in str(message):
            told.set()

    async with client(program, mode, message_handler=message) as office:
        await office.list_tools()
        if office.protocol_version >= LATEST:
            async with office.listen(tools_list_changed=True) as listening:
                await office.call_tool("grow", {})
                await asyncio.wait_for(anext(aiter(listening)), 20)
        else:
            await office.call_tool("grow", {})
            await asyncio.wait_for(told.wait(), 20)
        tools = (await office.list_tools()).tools
        assert [tool.name for tool in tools] == [*TOOLS, "tree"], tools


async def approvals(program, mode):
    for action, left in (("accept", "[]"), ("decline", '["milk"]'), ("cancel", '["milk"]')):
        async with client(program, mode, elicitation_callback=answering(action)) as office:
            await office.call_tool("add_note", {"text": "milk"})
            shredded = await office.call_tool("shred", {})
            assert shredded.is_error == (action != "accept"), shredded
            assert text(await office.call_tool("notes", {})) == left
    async with client(program, mode) as office:
        denied = await office.call_tool("shred", {})
        assert denied.is_error and "the MCP client cannot ask anybody" in text(denied), denied


async def documents(program, mode):
    async with client(program, mode) as office:
        prompts = (await office.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == [*DOCUMENTS, "desk"], prompts
        review = await office.get_prompt("code-review", {"arguments": "don't skip tests"})
        prompted = review.messages[0].content.text
        assert prompted.startswith("# Code review") and prompted.endswith("Arguments: don't skip tests"), prompted
        try:
            await office.get_prompt("code-reviews")
            raise AssertionError("a prompt that does not exist was returned")
        except MCPError as error:
            assert "there is no prompt `code-reviews`" in str(error), error
        resources = (await office.list_resources()).resources
        assert [str(resource.uri) for resource in resources] == [f"skill://{name}/SKILL.md" for name in DOCUMENTS]
        read = await office.read_resource("skill://cpp-build/SKILL.md")
        assert "# C++ builds" in read.contents[0].text, read
        try:
            await office.read_resource("skill://cpp-build/../csv-cleaner/SKILL.md")
            raise AssertionError("a path left its folder")
        except MCPError as error:
            assert "cannot be read: it has a part `.` or `..`" in str(error), error


async def with_fastmcp(program):
    from fastmcp import Client as FastClient
    from fastmcp.client.transports import StdioTransport

    async with FastClient(StdioTransport(program, [])) as office:
        assert [tool.name for tool in await office.list_tools()] == TOOLS
        added = await office.call_tool("add_note", {"text": "milk"})
        assert added.content[0].text == "1", added


async def main(program):
    for over in ("", " http"):
        for mode in ("legacy", "auto", LATEST):
            version = await calls(program + over, mode)
            for part in (progress, cancellation, changes, approvals, documents):
                await asyncio.wait_for(part(program + over, mode), 60)
            parts = "list, calls, errors, progress, cancellation, changes, approvals, prompts, resources"
            print(f"mcp{over or ' stdio'}, mode {mode}: version {version}: {parts}", flush=True)
    await asyncio.wait_for(with_fastmcp(program), 60)
    print("fastmcp: list, call")


asyncio.run(main(sys.argv[1]))

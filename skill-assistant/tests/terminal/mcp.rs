//! The tools of MCP servers.

use crate::model::{call, text, with_model};
use crate::pty::{Terminal, without_model};
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::mcp::{self, BoundHttp};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};

/// A clock of another program.
struct Clock;

impl ToolSource for Clock {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let schema = json!({ "type": "object", "properties": { "zone": { "type": "string" } }, "required": ["zone"] });
        let tool = ToolBuf::new("time", "The time in a zone.", schema);
        Box::pin(async move { Ok(vec![tool.into()]) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        let zone = call.arguments.clone();
        Box::pin(async move { Ok(format!("12:00 in {zone}").into()) })
    }
}

async fn clock() -> BoundHttp {
    let toolbox = Toolbox::builder()
        .source("clock", Clock)
        .build()
        .await
        .unwrap();
    mcp::http(toolbox).bind("127.0.0.1:0").await.unwrap()
}

#[timed_test::test(threads = 2)]
async fn a_call_of_an_mcp_server_needs_an_approval() {
    let folder = tempfile::tempdir().unwrap();
    let server = clock().await;
    let responses = [
        call("far__time", json!({ "zone": "UTC" })),
        text("It is noon."),
    ];
    let (mut program, model) = with_model(folder.path(), responses).await;
    program.args(["--mcp", &format!("far=http://{}/mcp", server.local_addr())]);
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("What time is it?\r");
    terminal.wait_for_last("Allow far__time? [yes/no]");
    assert!(terminal.contents().contains("  zone: UTC\n"));
    terminal.type_text("yes\r");
    terminal.wait_for("It is noon.");
    assert!(model.body().to_string().contains("12:00 in"));
    // the person's own call needs none
    terminal.wait_for_last(">");
    terminal.type_text("far__time zone=Oslo\r");
    terminal.wait_for("12:00 in");
}

#[timed_test::test]
async fn a_wrong_mcp_server_is_said_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    for (server, expected) in [
        (
            "far",
            "write a name and a server, such as `far=https://example.com/mcp`",
        ),
        (
            "far=http://127.0.0.1:1/mcp",
            "the MCP server `far` cannot be used: ",
        ),
        (
            "far=no-such-program",
            "the MCP server `far` cannot be used: ",
        ),
    ] {
        let output = without_model(folder.path())
            .args(["--mcp", server])
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && error.contains(expected),
            "{error}"
        );
    }
}

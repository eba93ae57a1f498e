//! The list of tools, and what a server says about itself.

use crate::script::{Script, destructive, tool};
use crate::support::*;
use serde_json::json;
use skill_agent::mcp::{Handler, Options, OptionsError};
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;

#[timed_test::test]
async fn a_server_says_what_its_agent_says() {
    let server = AgentServer::builder(Office::new())
        .resources(Tools::default())
        .start()
        .await
        .unwrap();
    for era in ERAS {
        let client = connected(Toolbox::of(&server), (), era).await;
        let info = client.peer_info().unwrap();
        let about = info.server_info.clone().unwrap();
        assert_eq!((&*about.name, &*about.version), ("office", "1.2.0"));
        assert_eq!(info.instructions.as_deref(), Some("Keep notes short."));
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["add_note", "notes", "shred", "copy", "long"]);
        let hints = tools[1].annotations.clone().unwrap();
        assert_eq!(
            serde_json::to_value(hints).unwrap(),
            json!({ "readOnlyHint": true, "destructiveHint": false, "idempotentHint": false, "openWorldHint": false })
        );
        let has_outputs: Vec<_> = tools
            .iter()
            .map(|tool| tool.output_schema.is_some())
            .collect();
        match era {
            Era::Stateless => assert_eq!(has_outputs, [true; 5]),
            Era::Initialize => assert_eq!(has_outputs, [false; 5]),
        }
    }
}

#[timed_test::test]
async fn a_tool_that_mcp_cannot_express_hides_no_other_one() {
    let mut broken = tool("broken");
    broken.tool.input_schema = json!({
        "type": "object",
        "properties": { "text": { "$ref": "#/$defs/nowhere" } },
    });
    let script = Script::with(vec![broken, tool("whole")]);
    let toolbox = Toolbox::builder()
        .source("far", script)
        .build()
        .await
        .unwrap();
    let client = connected(toolbox, (), Era::Stateless).await;
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["whole"]);
}

#[timed_test::test]
async fn options_replace_what_the_agent_says() {
    let toolbox = Toolbox::builder()
        .source("near", Script::of(&["one"]))
        .source("far", Script::with(vec![destructive("two"), tool("three")]))
        .build()
        .await
        .unwrap();
    let client = connected(toolbox.clone(), (), Era::Stateless).await;
    let about = client.peer_info().unwrap().server_info.clone().unwrap();
    assert_eq!(about.name, "toolbox");
    let options = Options::new()
        .name("both")
        .version("3")
        .instructions("Ask first.");
    let handler = Handler::with_options(toolbox.clone(), options).unwrap();
    let client = connected(handler, (), Era::Initialize).await;
    let info = client.peer_info().unwrap();
    let about = info.server_info.clone().unwrap();
    assert_eq!((&*about.name, &*about.version), ("both", "3"));
    assert_eq!(info.instructions.as_deref(), Some("Ask first."));
    let short = Options::new().approval_secret("short");
    let error = Handler::with_options(toolbox, short).unwrap_err();
    assert!(matches!(
        error,
        OptionsError::ApprovalSecret { bytes: 5, .. }
    ));
    assert_eq!(
        error.to_string(),
        "the approval secret has 5 bytes, and needs at least 32"
    );
}

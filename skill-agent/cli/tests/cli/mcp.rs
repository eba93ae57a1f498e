//! `skills mcp`, with a client that starts it as MCP clients do.

use crate::support::{Folder, REVIEW};
use skill_agent_mcp::{McpClient, McpToolbox};
use skill_agent_toolbox::Toolbox;
use skill_core::ForeignCaller;

#[test]
fn a_client_finds_and_loads_skills() {
    let folder = Folder::of(&[
        ("skills/review/SKILL.md", REVIEW),
        ("skills/review/checklist.md", "- names\n- tests\n"),
    ]);
    let skills = folder.path().join("skills");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let program = env!("CARGO_BIN_EXE_skills");
        let arguments = ["mcp".as_ref(), skills.as_os_str()];
        let client = McpClient::command(program, arguments).await.unwrap();
        assert_eq!(
            format!("{client:?}"),
            "McpClient { server: Some(\"skills\"), .. }"
        );
        let toolbox = Toolbox::builder().mcp("far", client.trust_hints());
        let toolbox = toolbox.build().await.unwrap();
        let session = toolbox.session(ForeignCaller::Model);
        let list = session.list().await;
        let names: Vec<_> = list.tools.iter().map(|listed| &*listed.tool.name).collect();
        assert_eq!(names, ["far__skill", "far__read_skill_file"]);
        assert!(list.tools[0].tool.description.contains("Reviews a change."));
        let loaded = session
            .call("far__skill", r#"{"skill_name":"review"}"#)
            .await
            .unwrap();
        assert!(loaded.text().contains("Read it."), "{}", loaded.text());
        let file = r#"{"skill":"review","path":"checklist.md"}"#;
        let read = session.call("far__read_skill_file", file).await.unwrap();
        assert!(read.text().contains("- tests"), "{}", read.text());
    });
}

#[cfg(unix)]
#[test]
fn a_program_that_ends_is_started_again() {
    let folder = Folder::of(&[("skills/review/SKILL.md", REVIEW)]);
    let ids = folder.path().join("ids");
    let skills = folder.path().join("skills");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        // notes the id of the process that becomes the program
        let script = "echo $$ >> \"$IDS\"; exec \"$@\"";
        let program = env!("CARGO_BIN_EXE_skills");
        let arguments = ["-c", script, "sh", program, "mcp", skills.to_str().unwrap()];
        let client = McpClient::command("sh", arguments).env("IDS", &ids);
        let client = client.await.unwrap();
        let toolbox = Toolbox::builder().mcp("far", client.trust_hints());
        let toolbox = toolbox.build().await.unwrap();
        let session = toolbox.session(ForeignCaller::Model);
        let skill = r#"{"skill_name":"review"}"#;
        session.call("far__skill", skill).await.unwrap();
        let started = || std::fs::read_to_string(&ids).unwrap();
        let kill = "kill -9 $(tail -n 1 \"$IDS\")";
        let kill = std::process::Command::new("sh")
            .args(["-c", kill])
            .env("IDS", &ids)
            .status();
        assert!(kill.unwrap().success());
        // a call that the program may have received is not sent again
        let again = loop {
            match session.call("far__skill", skill).await {
                Ok(loaded) => break loaded,
                Err(error) => assert!(error.to_string().contains("the MCP server"), "{error}"),
            }
        };
        assert!(again.text().contains("Read it."), "{}", again.text());
        // the tools stay, and no further process starts
        assert_eq!(session.list().await.tools.len(), 1);
        session.call("far__skill", skill).await.unwrap();
        assert_eq!(started().lines().count(), 2);
    });
}

#[test]
fn without_skills_nothing_is_served() {
    let folder = Folder::of(&[("empty/readme.txt", "")]);
    let run = folder.run(&["mcp", "empty"]);
    assert_eq!((run.code, &*run.out), (1, ""));
    for words in ["no skills in `empty`", "`empty/NAME/SKILL.md`"] {
        assert!(run.err.contains(words), "{}", run.err);
    }
    let run = folder.run(&["mcp", "nowhere"]);
    assert_eq!((run.code, &*run.out), (2, ""));
    assert_eq!(run.err, "error: there is no folder `nowhere`\n");
}

#[test]
fn a_client_that_leaves_at_once_is_an_error() {
    let folder = Folder::of(&[("skills/review/SKILL.md", REVIEW)]);
    let run = folder.run(&["mcp", "skills"]);
    assert_eq!((run.code, &*run.out), (1, ""));
    assert!(
        run.err.contains("the MCP client could not be served: it closed the connection without asking for anything"),
        "{}",
        run.err
    );
}

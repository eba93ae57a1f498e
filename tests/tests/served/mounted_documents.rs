//! Mounted documents in a server: enabled and disabled by the same calls and signals as skills.

use super::mount_operations::Theatre;
use serde_json::json;
use skill_agent::core::MountError;
use skill_agent::manifest::{Dialect, MountDocs, SkillDoc, check};
use skill_agent::prelude::*;

fn document(id: &str, requires: &str) -> SkillDoc {
    let text =
        format!("---\nname: {id}\ndescription: d\nrequires_tools: {requires}\n---\nDo {id}.\n");
    let report = check(&text, &Dialect::AGENT_SKILLS_LENIENT);
    report.into_doc().unwrap()
}

/// A theatre with a mounted document.
async fn theatre() -> AgentServer<Theatre> {
    let mut theatre = Theatre::new();
    theatre
        .mounted_mut()
        .register_doc(document("review", "[]"))
        .unwrap();
    let server = AgentServer::builder(theatre).start().await.unwrap();
    server.mount("review", json!({})).await.unwrap();
    server
}

async fn offered(server: &AgentServer<Theatre>) -> Vec<String> {
    let agent = server.agent().await.unwrap();
    let offered = agent.mounted().offered_docs();
    offered.map(|doc| doc.id.to_string()).collect()
}

#[timed_test::test]
async fn a_document_is_disabled_and_enabled_in_every_way() {
    for way in ["handle", "change", "change_later", "hook"] {
        let server = theatre().await;
        assert_eq!(offered(&server).await, ["review"]);
        for (operation, expected) in [
            ("disable", &[][..]),
            ("disable", &[]),
            ("enable", &["review"]),
            ("enable", &["review"]),
            ("disable", &[]),
        ] {
            match (way, operation) {
                ("handle", "enable") => server.enable("review").await.unwrap(),
                ("handle", _) => server.disable("review").await.unwrap(),
                ("hook", _) => {
                    let signal = Signal::new(format!("stage.{operation}"), json!("review"));
                    server.request(signal).await.unwrap();
                }
                _ => {
                    let arguments = json!({ "operation": operation, "skill": "review" });
                    server.call_json(way, arguments.to_string()).await.unwrap();
                }
            }
            assert_eq!(offered(&server).await, expected, "{way} {operation}");
        }
        let agent = server.agent().await.unwrap();
        assert!(agent.mounted().is_mounted("review") && !agent.mounted().is_enabled("review"));
    }
}

#[timed_test::test]
async fn a_document_is_not_offered_while_the_skill_of_its_tools_is_disabled() {
    let mut theatre = Theatre::new();
    let mounted = theatre.mounted_mut();
    mounted.mount_named("drum", &json!({})).unwrap();
    mounted.mount_doc(document("rhythm", "[beat]")).unwrap();
    let server = AgentServer::builder(theatre).start().await.unwrap();
    assert_eq!(offered(&server).await, ["rhythm"]);
    server.disable("drum").await.unwrap();
    assert_eq!(offered(&server).await, [""; 0]);
    server.enable("drum").await.unwrap();
    assert_eq!(offered(&server).await, ["rhythm"]);
    server.disable("rhythm").await.unwrap();
    assert_eq!(server.call_json("beat", "{}").await.unwrap(), "1");
}

#[timed_test::test]
async fn an_unknown_document_cannot_be_disabled() {
    let server = theatre().await;
    let error = server.disable("reveiw").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no skill or document `reveiw` is mounted; did you mean `review`?"
    );
    let ServeError::Action(MountError::NotMounted { name, .. }) = error else {
        panic!("{error:?}");
    };
    assert_eq!(name, "reveiw");
}

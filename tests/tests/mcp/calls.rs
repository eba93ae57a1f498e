//! Calls: results, errors, progress, cancellation and keys.

use crate::far::{client_of_toolbox, session};
use crate::script::Script;
use crate::support::*;
use rmcp::ClientHandler;
use rmcp::handler::client::progress::ProgressDispatcher;
use rmcp::model::{
    CallToolRequest, ClientRequest, ErrorCode, ProgressNotificationParam, ServerResult,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RoleClient, ServiceError};
use serde_json::json;
use skill_agent::mcp::IDEMPOTENCY_KEY;
use skill_agent::prelude::*;
use skill_agent::toolbox::{OutputPart, ToolOutput, Toolbox};
use std::time::Duration;
use tokio::sync::mpsc;

async fn office() -> (AgentServer<Office>, Copier) {
    let copier = Copier::default();
    let server = AgentServer::builder(Office::new())
        .resources(Tools {
            copier: copier.clone(),
        })
        .grace(Duration::ZERO)
        .start()
        .await
        .unwrap();
    (server, copier)
}

#[timed_test::test]
async fn a_result_is_text_and_structure() {
    let (server, _) = office().await;
    for (era, notes) in [(Era::Stateless, 1), (Era::Initialize, 2)] {
        let client = connected(Toolbox::of(&server), (), era).await;
        let added = client
            .call_tool(params("add_note", json!({ "text": "milk" })))
            .await;
        let added = added.unwrap();
        assert_eq!(
            (text(&added), added.is_error),
            (notes.to_string(), Some(false))
        );
        let structured = (era == Era::Stateless).then(|| json!(notes));
        assert_eq!(added.structured_content, structured, "{era:?}");
    }
}

#[timed_test::test]
async fn a_model_reads_its_mistakes_and_an_unknown_tool_is_an_error_of_the_protocol() {
    let (server, _) = office().await;
    for era in ERAS {
        let client = connected(Toolbox::of(&server), (), era).await;
        let wrong = client
            .call_tool(params("add_note", json!({ "text": "" })))
            .await
            .unwrap();
        assert_eq!(wrong.is_error, Some(true));
        assert_eq!(
            text(&wrong),
            "the arguments of `add_note` are wrong: `text`: the length 0 is out of range, expected 1..=20"
        );
        let denied = client.call_tool(params("shred", json!({}))).await.unwrap();
        assert_eq!(denied.is_error, Some(true));
        assert!(
            text(&denied).starts_with("`shred` was denied"),
            "{}",
            text(&denied)
        );
        let unknown = client
            .call_tool(params("add_notes", json!({})))
            .await
            .unwrap_err();
        let ServiceError::McpError(unknown) = unknown else {
            panic!("{unknown:?}");
        };
        assert_eq!(unknown.code, ErrorCode::INVALID_PARAMS);
        assert_eq!(
            unknown.message,
            "there is no tool `add_notes`; did you mean `add_note`?"
        );
    }
}

#[timed_test::test]
async fn a_long_result_is_an_error_and_never_cut() {
    let (server, _) = office().await;
    let client = connected(Toolbox::of(&server), (), Era::Stateless).await;
    // with its quotes
    let longest = client
        .call_tool(params("long", json!({ "bytes": (64 << 10) - 2 })))
        .await
        .unwrap();
    assert_eq!(text(&longest).len(), 64 << 10);
    assert!(longest.structured_content.is_some());
    let longer = client
        .call_tool(params("long", json!({ "bytes": (64 << 10) - 1 })))
        .await
        .unwrap();
    assert_eq!(
        (longer.is_error, &longer.structured_content),
        (Some(true), &None)
    );
    assert_eq!(
        text(&longer),
        "the tool has run, but its result has 65537 bytes, and at most 65536 are returned; ask for less"
    );
}

#[timed_test::test]
async fn images_sounds_files_and_links_are_content() {
    let script = Script::of(&["draw"]);
    let (media_type, data) = ("image/png".to_owned(), "aGk=".to_owned());
    let image = OutputPart::Image { media_type, data };
    let (media_type, data) = ("application/pdf".to_owned(), "aGk=".to_owned());
    let name = Some("a.pdf".to_owned());
    let file = OutputPart::File {
        name,
        media_type,
        data,
    };
    let (media_type, data) = ("audio/wav".to_owned(), "aGk=".to_owned());
    let sound = OutputPart::File {
        name: None,
        media_type,
        data,
    };
    let link = OutputPart::Link {
        uri: "https://example.com/b".to_owned(),
        name: "b".to_owned(),
        description: Some("A book.".to_owned()),
        media_type: Some("text/plain".to_owned()),
    };
    let parts = vec!["Four:".into(), image, file, sound, link.clone()];
    script.answer_with(ToolOutput::new(parts));
    let toolbox = Toolbox::builder().source("art", script);
    let toolbox = toolbox.build().await.unwrap();
    let client = connected(toolbox.clone(), (), Era::Stateless).await;
    let drawn = client
        .call_tool(params("draw", json!({ "text": "a" })))
        .await
        .unwrap();
    assert_eq!(
        serde_json::to_value(&drawn.content).unwrap(),
        json!([
            { "type": "text", "text": "Four:" },
            { "type": "image", "data": "aGk=", "mimeType": "image/png" },
            { "type": "resource", "resource": { "uri": "attachment:///a%2Epdf", "mimeType": "application/pdf", "blob": "aGk=" } },
            { "type": "audio", "data": "aGk=", "mimeType": "audio/wav" },
            {
                "type": "resource_link", "uri": "https://example.com/b", "name": "b", "description": "A book.", "mimeType": "text/plain",
            },
        ])
    );
    // a client of ours gets the link, and its model the text
    let client = client_of_toolbox(toolbox).await;
    let far = session(client.allow(["draw"])).await;
    let drawn = far.call("far__draw", r#"{"text":"a"}"#).await.unwrap();
    assert_eq!(drawn.parts().last(), Some(&link));
    assert_eq!(drawn.text(), "Four:\n[b](https://example.com/b): A book.");
}

#[timed_test::test]
async fn a_call_with_a_key_runs_once() {
    let (server, _) = office().await;
    let client = connected(Toolbox::of(&server), (), Era::Stateless).await;
    for _ in 0..2 {
        let mut call = params("add_note", json!({ "text": "milk" }));
        let meta = call.meta.get_or_insert_default();
        meta.0.insert(IDEMPOTENCY_KEY.to_owned(), json!("order-7"));
        assert_eq!(text(&client.call_tool(call).await.unwrap()), "1");
    }
    assert_eq!(server.agent().await.unwrap().state().desk.notes, ["milk"]);
}

/// A client that records progress.
struct Reader {
    dispatcher: ProgressDispatcher,
    reports: mpsc::UnboundedSender<ProgressNotificationParam>,
}

impl ClientHandler for Reader {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.reports.send(params.clone()).unwrap();
        self.dispatcher.handle_notification(params).await;
    }
}

#[timed_test::test]
async fn progress_reaches_the_client_and_increases() {
    for era in ERAS {
        let (server, copier) = office().await;
        let (reports, mut progress) = mpsc::unbounded_channel();
        let dispatcher = ProgressDispatcher::new();
        let reader = Reader {
            dispatcher,
            reports,
        };
        let client = connected(Toolbox::of(&server), reader, era).await;
        let call = client.call_tool(params("copy", json!({ "times": 2 })));
        let read = async {
            let mut values = Vec::new();
            for _ in 0..2 {
                let report = progress.recv().await.unwrap();
                values.push((report.progress, report.total, report.message));
                copier.0.permits.add_permits(1);
            }
            values
        };
        let (copied, values) = tokio::join!(call, read);
        assert_eq!(text(&copied.unwrap()), "2");
        let message = || Some("copying".to_owned());
        assert_eq!(
            values,
            [(1.0, Some(2.0), message()), (2.0, Some(2.0), message())]
        );
    }
}

#[timed_test::test]
async fn a_cancelled_call_stops_its_action() {
    for era in ERAS {
        let (server, copier) = office().await;
        let (reports, mut progress) = mpsc::unbounded_channel();
        let dispatcher = ProgressDispatcher::new();
        let reader = Reader {
            dispatcher,
            reports,
        };
        let client = connected(Toolbox::of(&server), reader, era).await;
        let call = CallToolRequest::new(params("copy", json!({ "times": 1 })));
        let call = ClientRequest::CallToolRequest(call);
        let options = PeerRequestOptions::no_options();
        let sent = client
            .send_request_with_option(call, options)
            .await
            .unwrap();
        progress.recv().await.unwrap();
        sent.cancel(Some("no longer needed".to_owned()))
            .await
            .unwrap();
        copier.0.stopped.notified().await;
        // the connection goes on
        let notes = client.call_tool(params("notes", json!({}))).await.unwrap();
        assert_eq!(text(&notes), "[]");
    }
}

#[timed_test::test]
async fn a_client_that_is_gone_stops_its_actions() {
    for era in ERAS {
        let (server, copier) = office().await;
        let (reports, mut progress) = mpsc::unbounded_channel();
        let dispatcher = ProgressDispatcher::new();
        let reader = Reader {
            dispatcher,
            reports,
        };
        let client = connected(Toolbox::of(&server), reader, era).await;
        let call = CallToolRequest::new(params("copy", json!({ "times": 1 })));
        let call = ClientRequest::CallToolRequest(call);
        let options = PeerRequestOptions::no_options();
        let _sent = client
            .send_request_with_option(call, options)
            .await
            .unwrap();
        progress.recv().await.unwrap();
        client.cancel().await.unwrap();
        // running calls may still answer for some seconds
        tokio::time::pause();
        copier.0.stopped.notified().await;
        tokio::time::resume();
    }
}

#[timed_test::test]
async fn a_key_that_is_no_string_runs_nothing() {
    let (server, _) = office().await;
    let client = connected(Toolbox::of(&server), (), Era::Stateless).await;
    let mut call = params("add_note", json!({ "text": "milk" }));
    let meta = call.meta.get_or_insert_default();
    meta.0.insert(IDEMPOTENCY_KEY.to_owned(), json!(7));
    let ServiceError::McpError(error) = client.call_tool(call).await.unwrap_err() else {
        panic!("an error of the protocol");
    };
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    assert_eq!(
        error.message,
        "`_meta.idempotencyKey` is 7, expected a string"
    );
    assert!(server.agent().await.unwrap().state().desk.notes.is_empty());
}

#[timed_test::test]
async fn a_call_with_a_key_reports_progress() {
    let (server, copier) = office().await;
    copier.0.permits.add_permits(1);
    let (reports, mut progress) = mpsc::unbounded_channel();
    let dispatcher = ProgressDispatcher::new();
    let reader = Reader {
        dispatcher,
        reports,
    };
    let client = connected(Toolbox::of(&server), reader, Era::Stateless).await;
    let mut call = params("copy", json!({ "times": 1 }));
    let meta = call.meta.get_or_insert_default();
    meta.0.insert(IDEMPOTENCY_KEY.to_owned(), json!("copy-1"));
    assert_eq!(text(&client.call_tool(call).await.unwrap()), "1");
    assert_eq!(progress.recv().await.unwrap().progress, 1.0);
}

#[timed_test::test]
async fn an_output_that_is_not_the_json_of_its_schema_is_an_error() {
    let mut listed = crate::script::tool("count");
    listed.tool.output_schema = Some(json!({ "type": "integer" }));
    let script = Script::with(vec![listed]);
    let toolbox = Toolbox::builder().source("far", script.clone());
    let toolbox = toolbox.build().await.unwrap();
    let client = connected(toolbox, (), Era::Stateless).await;
    let call = || params("count", json!({ "text": "a" }));
    let wrong = client.call_tool(call()).await.unwrap();
    assert_eq!(wrong.is_error, Some(true));
    assert_eq!(
        text(&wrong),
        "the tool has run, but its output is not the JSON of its schema: done"
    );
    script.answer_with("7".into());
    let right = client.call_tool(call()).await.unwrap();
    assert_eq!(right.structured_content, Some(json!(7)));
}

#[timed_test::test]
async fn a_call_without_arguments_has_an_empty_object() {
    let (server, _) = office().await;
    let client = connected(Toolbox::of(&server), (), Era::Stateless).await;
    let call = rmcp::model::CallToolRequestParams::new("notes");
    let call = ClientRequest::CallToolRequest(CallToolRequest::new(call));
    let ServerResult::CallToolResult(notes) = client.send_request(call).await.unwrap() else {
        panic!("a result");
    };
    assert_eq!(text(&notes), "[]");
}

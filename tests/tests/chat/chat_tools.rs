//! Chats that run as tools of other chats.

use crate::support::*;
use serde_json::{Value, json};
use skill_agent::chat::{
    Chat, ChatError, ChatTool, Event, Limits, Message, ModelEvent, Redact, Scripted, Stop, Usage,
    chat_tool,
};
use skill_agent::models::Finish;
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolError, ToolOutput, ToolSource, Toolbox,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A server whose approver decides later, with three notes.
async fn deferring() -> AgentServer<Assistant> {
    let (gate, _) = gate();
    let server = AgentServer::builder(Assistant::new())
        .resources(Gates { gate })
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .start()
        .await
        .unwrap();
    for text in ["Buy milk.", "Buy bread.", "Call Ann."] {
        let text = text.to_owned();
        server.call(AddNote { text, times: 1 }).await.unwrap();
    }
    server
}

/// A tool whose chat has the tools of a server.
fn cleaning(model: &Scripted, server: &AgentServer<Assistant>) -> ChatTool {
    let (model, toolbox) = (model.clone(), Toolbox::of(server));
    chat_tool("clean", "Removes old notes.", move || {
        Chat::builder(model.clone(), toolbox.clone())
    })
}

async fn with(source: impl ToolSource) -> Toolbox {
    let builder = Toolbox::builder()
        .source("inner", source)
        .approval_secret("the secret of this test, which has 32 bytes");
    builder.build().await.unwrap()
}

async fn outer(model: &Scripted, source: impl ToolSource) -> Chat {
    let builder = Chat::builder(model.clone(), with(source).await);
    builder.build().unwrap()
}

/// A chat that waits for the verdict on an inner call, and the id for it.
async fn waiting(model: &Scripted, source: impl ToolSource) -> (Chat, String) {
    let mut chat = outer(model, source).await;
    let turn = chat.send("Clean.").await.unwrap();
    (chat, turn.pending[0].id.clone())
}

fn message() -> Value {
    json!({ "message": "Clean up." })
}

fn asks(tool: &str) -> Scripted {
    Scripted::new().calls([(tool, message())])
}

fn removal(text: &str) -> (&'static str, Value) {
    ("remove_note", json!({ "text": text }))
}

#[timed_test::test]
async fn a_call_has_a_history_of_its_own() {
    let server = server().await;
    let inner = Scripted::new()
        .calls([("add_note", json!({ "text": "a" }))])
        .text("Noted.")
        .text("Nothing to do.");
    let model = asks("clean")
        .text("Once.")
        .calls([("clean", message())])
        .text("Twice.");
    let mut chat = outer(&model, cleaning(&inner, &server)).await;
    assert_eq!(
        events(chat.stream("Clean.")).await,
        [
            "delta clean",
            "calling clean",
            r#"Progress(Progress { id: "call_1_1_0", name: "clean", value: Object {"calling": String("add_note")} })"#,
            "called clean",
            "step 1 with 3 messages",
            "text Once.",
            "step 2 with 1 messages",
            "done Answered",
        ]
    );
    let turn = chat.send("Again.").await.unwrap();
    assert_eq!(
        (turn.text(), results(&turn)),
        ("Twice.", vec!["Nothing to do.".to_owned()])
    );
    let requests = inner.requests();
    assert_eq!(requests.len(), 3);
    let first: Vec<String> = requests[0]
        .messages
        .iter()
        .map(|m| m.text().to_string())
        .collect();
    assert_eq!(first, ["Clean up."]);
    assert_eq!(requests[2].messages.len(), 1); // no message of the first call
    assert_eq!(chat.history().len(), 8);
    assert_whole(chat.history());
}

#[timed_test::test]
async fn a_verdict_on_an_inner_call_continues_both_chats() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk.")])
        .text("Removed it.");
    let model = asks("clean").text("All clean.");
    let mut chat = outer(&model, cleaning(&inner, &server)).await;
    let shown = events(chat.stream("Clean.")).await;
    assert_eq!(
        shown[3..],
        [
            "called clean",
            "approval remove_note",
            "step 1 with 3 messages",
            "done Approval"
        ]
    );
    let pending = chat.pending();
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].request.arguments["text"], "Buy milk.");
    assert_eq!(
        pending[0].id,
        format!("call_1_1_0/{}", pending[0].request.id)
    );
    assert_eq!(lines(&server).await.len(), 3);

    let events = events(chat.stream_decide(&pending[0].id, true)).await;
    assert_eq!(
        events,
        [
            "decided call_1_1_0",
            "decided call_1_1_0",
            "called clean",
            "text All clean.",
            "step 1 with 1 messages",
            "done Answered",
        ]
    );
    assert_eq!(lines(&server).await, ["Buy bread.", "Call Ann."]);
    let sent = model.requests();
    let results: Vec<String> = sent[1].messages[2]
        .results()
        .map(|part| part.text().into_owned())
        .collect();
    assert_eq!(results, ["Removed it."]);
    let text = serde_json::to_string(chat.history()).unwrap();
    assert!(
        !text.contains("Buy milk."),
        "the inner history is gone: {text}"
    );
    assert_whole(chat.history());
}

#[timed_test::test]
async fn inner_calls_are_decided_in_any_order_and_each_only_once() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk."), removal("Buy bread.")])
        .text("Removed one.");
    let model = asks("clean").text("All clean.");
    let mut chat = outer(&model, cleaning(&inner, &server)).await;
    let turn = chat.send("Clean.").await.unwrap();
    let ids: Vec<String> = turn.pending.iter().map(|call| call.id.clone()).collect();
    assert_eq!(ids.len(), 2);

    let turn = chat
        .decide(&ids[1], Verdict::Deny("it is needed".into()))
        .await
        .unwrap();
    assert_eq!((turn.stop, turn.pending.len()), (Stop::Approval, 1));
    assert_eq!(turn.pending[0].id, ids[0]);
    // a second click, and the ids of others
    let request = turn.pending[0].request.id.clone();
    for (id, reason) in [
        (
            ids[1].as_str(),
            "no call with this id waits for approval".to_owned(),
        ),
        (
            "call_1_1_0",
            format!("it waits for a call inside it; decide on `{}`", ids[0]),
        ),
        (
            &request,
            format!(
                "this is the id of the request; write the id of its call, `{}`, which `chat.pending()` has as `id`",
                ids[0]
            ),
        ),
        (
            "call_1_1_0/other",
            "no call with this id waits for approval".to_owned(),
        ),
    ] {
        match chat.decide(id, true).await.unwrap_err() {
            ChatError::Decision { reason: found, .. } => assert_eq!(found, reason, "{id}"),
            error => panic!("{error}"),
        }
    }
    assert_eq!(lines(&server).await.len(), 3);

    let turn = chat.decide(&ids[0], true).await.unwrap();
    assert_eq!((turn.text(), turn.stop), ("All clean.", Stop::Answered));
    assert_eq!(results(&turn), ["Removed one."]);
    assert_eq!(lines(&server).await, ["Buy bread.", "Call Ann."]);
}

#[timed_test::test]
async fn an_inner_chat_that_goes_on_may_wait_again() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk.")])
        .calls([removal("Call Ann.")])
        .text("Done.");
    let model = asks("clean").text("All clean.");
    let mut chat = outer(&model, cleaning(&inner, &server)).await;
    let first = chat.send("Clean.").await.unwrap().pending.remove(0);
    let shown = events(chat.stream_decide(&first.id, true)).await;
    assert_eq!(
        shown,
        [
            "decided call_1_1_0",
            r#"Progress(Progress { id: "call_1_1_0", name: "clean", value: Object {"calling": String("remove_note")} })"#,
            "decided call_1_1_0",
            "called clean",
            "approval remove_note",
            "done Approval",
        ]
    );
    let second = chat.pending().remove(0);
    assert_ne!(second.id, first.id);
    assert_eq!(
        chat.decide(&second.id, true).await.unwrap().text(),
        "All clean."
    );
    assert_eq!(lines(&server).await, ["Buy bread."]);
}

/// The history goes through a store, and the chats are built again.
#[timed_test::test]
async fn a_stored_history_has_the_inner_one() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk.")])
        .text("Removed it.");
    let model = asks("clean").text("All clean.");
    let (chat, id) = waiting(&model, cleaning(&inner, &server)).await;
    let history = stored(chat.history());
    drop(chat);

    // the same call, offered for approval with other arguments
    let changed = serde_json::to_string(&history)
        .unwrap()
        .replace("Buy milk.", "Call Ann.");
    let changed: Vec<Message> = serde_json::from_str(&changed).unwrap();
    let builder = Chat::builder(model.clone(), with(cleaning(&inner, &server)).await);
    let mut chat = builder.history(changed).build().unwrap();
    let error = chat.decide(&id, true).await.unwrap_err();
    assert!(
        error.to_string().contains("it was changed, or sealed by"),
        "{error}"
    );
    assert_eq!(chat.pending()[0].id, id);

    let builder = Chat::builder(model.clone(), with(cleaning(&inner, &server)).await);
    let mut chat = builder.history(history.clone()).build().unwrap();
    assert_eq!(chat.decide(&id, true).await.unwrap().text(), "All clean.");
    assert_eq!(lines(&server).await, ["Buy bread.", "Call Ann."]);

    // another copy of the history runs the call no second time
    let text = "Buy milk.".to_owned();
    server.call(AddNote { text, times: 1 }).await.unwrap();
    let inner = Scripted::new().text("It was removed.");
    let model = Scripted::new().text("All clean.");
    let builder = Chat::builder(model, with(cleaning(&inner, &server)).await);
    let mut chat = builder.history(history).build().unwrap();
    let turn = chat.decide(&id, true).await.unwrap();
    assert_eq!(results(&turn), ["It was removed."]);
    assert_eq!(lines(&server).await.len(), 3);
}

#[timed_test::test]
async fn the_tokens_of_inner_chats_count_for_the_turns_around_them() {
    let server = server().await;
    let inner = Scripted::new().text("Done.").usage(Usage::new(100, 10));
    let middle_model = asks("clean")
        .usage(Usage::new(20, 2))
        .text("Yes.")
        .usage(Usage::new(20, 2));
    let toolbox = with(cleaning(&inner, &server)).await;
    let middle = chat_tool("plan", "Plans.", move || {
        Chat::builder(middle_model.clone(), toolbox.clone())
    });
    let model = asks("plan")
        .usage(Usage::new(5, 1))
        .text("Fine.")
        .usage(Usage::new(5, 1));
    let mut chat = outer(&model, middle).await;
    let turn = chat.send("Plan.").await.unwrap();
    assert_eq!(turn.usage, Usage::new(150, 16));
    assert_eq!(turn.steps, 2);
}

#[timed_test::test]
async fn the_tokens_of_inner_chats_reach_the_limit_of_the_outer_turn() {
    let server = server().await;
    let inner = Scripted::new().text("Done.").usage(Usage::new(1_000, 10));
    let model = asks("clean").text("not asked");
    let toolbox = with(cleaning(&inner, &server)).await;
    let builder = Chat::builder(model.clone(), toolbox).limits(Limits::default().tokens(1_000));
    let turn = builder.build().unwrap().send("Clean.").await.unwrap();
    assert_eq!((turn.stop, model.requests().len()), (Stop::Tokens, 1));
}

/// A tool whose chat has that tool again.
fn endless(depth: Arc<Mutex<Vec<usize>>>, level: usize) -> ChatTool {
    chat_tool("deeper", "Goes deeper.", move || {
        depth.lock().unwrap().push(level);
        let inner = endless(Arc::clone(&depth), level + 1);
        async move {
            let toolbox = Toolbox::builder().source("inner", inner).build().await?;
            Ok(Chat::builder(asks("deeper").text("Enough."), toolbox))
        }
    })
}

#[timed_test::test]
async fn chats_are_at_most_three_deep() {
    let built = Arc::new(Mutex::new(Vec::new()));
    let model = asks("deeper").text("Enough.");
    let mut chat = outer(&model, endless(Arc::clone(&built), 1)).await;
    let turn = chat.send("Go.").await.unwrap();
    assert_eq!(
        (turn.text(), results(&turn)),
        ("Enough.", vec!["Enough.".to_owned()])
    );
    assert_eq!(*built.lock().unwrap(), [1, 2, 3]);
}

#[timed_test::test]
async fn the_inner_chat_calls_on_behalf_of_the_outer_principal() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (gate, _) = gate();
    let callers = Arc::clone(&asked);
    let server = AgentServer::builder(Assistant::new())
        .resources(Gates { gate })
        .approver(move |request: ApprovalRequest| {
            callers.lock().unwrap().push(request.caller.clone());
            async { Verdict::Approve }
        })
        .start()
        .await
        .unwrap();
    let inner = Scripted::new()
        .calls([("clear_notes", json!({}))])
        .text("Done.");
    let model = asks("clean").text("Fine.");
    let toolbox = with(cleaning(&inner, &server)).await;
    let caller = ForeignCaller::Mcp.with_principal("ann").via("desk");
    let builder = Chat::builder(model, toolbox).caller(caller);
    builder.build().unwrap().send("Clean.").await.unwrap();
    let expected = ForeignCaller::Model.with_principal("ann").via("desk");
    assert_eq!(*asked.lock().unwrap(), [expected.into()]);
}

#[timed_test::test]
async fn an_inner_chat_that_does_not_answer_is_an_error_for_the_model() {
    let server = deferring().await;
    let many = Scripted::new()
        .calls([("list_notes", json!({}))])
        .calls([("add_note", json!({ "text": "x" }))]);
    let toolbox = Toolbox::of(&server);
    let refusing = Scripted::new().events([
        ModelEvent::Text("No.".into()),
        ModelEvent::Finish(Finish::Refused),
    ]);
    let failing = Scripted::new();
    for (build, expected, applied) in [
        (
            Chat::builder(many, toolbox.clone()).limits(Limits::default().steps(2)),
            "it did not answer: its chat reached a limit",
            Applied::Unknown,
        ),
        (
            Chat::builder(refusing, toolbox.clone()),
            "it did not answer: its model refused; it last wrote: No.",
            Applied::No,
        ),
        (
            Chat::builder(failing, toolbox.clone()),
            "its chat failed: ",
            Applied::No,
        ),
        (
            Chat::builder(Scripted::new(), toolbox.clone()).limits(Limits::default().steps(0)),
            "`clean` cannot be called now: its chat cannot be built",
            Applied::No,
        ),
    ] {
        let build = Mutex::new(Some(build));
        let tool = chat_tool("clean", "Cleans.", move || {
            build.lock().unwrap().take().expect("it is built once")
        });
        let model = asks("clean").text("I could not.");
        let turn = outer(&model, tool).await.send("Clean.").await.unwrap();
        assert_eq!(turn.text(), "I could not.");
        let error = turn.calls[0].result.as_ref().unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
        assert_eq!(error.applied(), applied, "{error}");
    }
}

#[timed_test::test]
async fn a_panic_of_the_function_that_builds_is_an_error_for_the_model() {
    let tool = chat_tool("clean", "Cleans.", || -> skill_agent::chat::ChatBuilder {
        panic!("no chat today")
    });
    let model = asks("clean").text("I could not.");
    let turn = outer(&model, tool).await.send("Clean.").await.unwrap();
    let result = &results(&turn)[0];
    assert!(result.contains("its chat cannot be built"), "{result}");
    assert!(!result.contains("today"), "{result}");
}

#[timed_test::test]
async fn an_abort_of_an_inner_call_ends_both_turns() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk.")])
        .text("not asked");
    let model = asks("clean").text("not asked");
    let (mut chat, id) = waiting(&model, cleaning(&inner, &server)).await;
    let turn = chat
        .decide(&id, Verdict::Abort("stop".into()))
        .await
        .unwrap();
    assert_eq!(turn.stop, Stop::Aborted);
    assert_eq!((inner.requests().len(), model.requests().len()), (1, 1));
    assert_eq!(lines(&server).await.len(), 3);
    assert_whole(chat.history());
}

#[timed_test::test]
async fn a_dropped_verdict_leaves_a_history_that_goes_on() {
    let server = deferring().await;
    let mut steps = 0;
    loop {
        let inner = Scripted::new()
            .calls([removal("Buy milk.")])
            .text("Removed it.");
        let model = asks("clean").text("All clean.");
        let mut chat = outer(&model, cleaning(&inner, &server)).await;
        let id = chat.send("Clean.").await.unwrap().pending[0].id.clone();
        let mut stream = chat.into_stream_decide(&id, true);
        let mut ended = false;
        for _ in 0..steps {
            match stream.next().await {
                Some(event) => drop(event.unwrap()),
                None => ended = true,
            }
        }
        let chat = stream.into_chat();
        assert_whole(chat.history());
        if chat.pending().is_empty() {
            let part = chat.history()[2].results().next().unwrap();
            let is_told = match &part.result {
                Ok(output) => output.text() == "Removed it.",
                Err(error) => error.applied() == Applied::Unknown,
            };
            assert!(is_told, "{part:?}");
        }
        if ended {
            break;
        }
        steps += 1;
    }
    assert!(steps > 4, "{steps}");
}

#[timed_test::test]
async fn calls_that_are_given_up_may_have_run_others() {
    let server = deferring().await;
    let inner = Scripted::new().calls([
        ("add_note", json!({ "text": "a" })),
        ("remove_note", json!({ "text": "Buy milk." })),
    ]);
    let model = asks("clean").text("Fine.");
    let mut chat = outer(&model, cleaning(&inner, &server)).await;
    chat.send("Clean.").await.unwrap();
    assert!(matches!(
        chat.send("Never mind.").await,
        Err(ChatError::Pending(_))
    ));
    assert_eq!(chat.withdraw().len(), 1);
    let part = chat.history()[2].results().next().unwrap();
    assert_eq!(
        part.result.as_ref().unwrap_err().applied(),
        Applied::Unknown
    );
    assert_eq!(chat.send("Never mind.").await.unwrap().text(), "Fine.");
}

/// A source of one's own that forwards calls to another session, and does not take decisions.
struct Forwarding(Toolbox);

impl ToolSource for Forwarding {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let schema = json!({ "type": "object" });
        let tool = skill_agent::ToolBuf::new("forward", "Forwards.", schema);
        Box::pin(async move { Ok(vec![tool.into()]) })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move {
            let session = self.0.session(ForeignCaller::Model);
            match session.call("clear_notes", "{}").await {
                Err(ToolError::Pending(request)) => Err(SourceError::pending(vec![*request])),
                _ => Err(SourceError::pending(Vec::new())),
            }
        })
    }
}

#[timed_test::test]
async fn a_source_that_takes_no_decisions_keeps_its_call_waiting() {
    let server = deferring().await;
    let toolbox = with(Forwarding(Toolbox::of(&server))).await;
    let model = Scripted::new().calls([("forward", json!({}))]);
    let mut chat = Chat::builder(model, toolbox.clone()).build().unwrap();
    let id = chat.send("Clear.").await.unwrap().pending[0].id.clone();
    let error = chat.decide(&id, true).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the call `{id}` cannot be decided: its source does not take decisions")
    );
    assert_eq!(chat.pending()[0].id, id);

    let session = toolbox.session(ForeignCaller::Model);
    let error = session.call("forward", "{}").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "`forward` waits for approval of `clear_notes`"
    );
    let ToolError::PendingInside(pending) = error else {
        panic!("it waits")
    };
    let error = session
        .decide_inside(&pending, "other", true)
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the approval request is not valid: the call does not wait for it"
    );
    server.stop().await.unwrap();
    let error = session.call("forward", "{}").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "it waits for approval, but for no request"
    );
}

/// The inner call reads the message that the outer model wrote, with the arguments that the schema asks for.
#[timed_test::test]
async fn wrong_arguments_are_an_error_for_the_outer_model() {
    let server = server().await;
    let inner = Scripted::new().text("not asked");
    let model = Scripted::new()
        .calls([("clean", json!({ "task": "Clean up." }))])
        .text("I see.");
    let mut chat = outer(&model, cleaning(&inner, &server)).await;
    let turn = chat.send("Clean.").await.unwrap();
    assert!(
        results(&turn)[0].starts_with("error: the arguments of `clean` are wrong"),
        "{:?}",
        results(&turn)
    );
    assert!(inner.requests().is_empty());
    assert_eq!(chat.history().len(), 4);
}

#[timed_test::test]
async fn read_only_chats_run_in_parallel() {
    let (server, gate, mut begun) = gated().await;
    let inner = |name: &str| {
        Scripted::new()
            .calls([("read_slowly", json!({ "name": name }))])
            .text(name)
    };
    let models = Arc::new(Mutex::new(vec![inner("b"), inner("a")]));
    let toolbox = Toolbox::of(&server);
    let tool = chat_tool("clean", "Reads.", move || {
        let model = models.lock().unwrap().pop().unwrap();
        Chat::builder(model, toolbox.clone())
    });
    let hints = skill_agent::spec::Hints::NONE.read_only();
    let call = || ("clean", json!({ "message": "Read." }));
    let model = Scripted::new().calls([call(), call()]).text("Both.");
    let chat = outer(&model, tool.hints(hints)).await;
    let turn = tokio::spawn(ended(chat.into_stream("Read both.")));
    let mut names = [begun.recv().await.unwrap(), begun.recv().await.unwrap()];
    names.sort();
    assert_eq!(names, ["a", "b"]);
    gate.open("a");
    gate.open("b");
    let (turn, _) = turn.await.unwrap();
    assert_eq!(results(&turn), ["a", "b"]);
}

/// A source of one tool whose calls wait for calls of a server.
struct Relay {
    calls: fn(Vec<ApprovalRequest>) -> Vec<ApprovalRequest>,
    server: AgentServer<Assistant>,
}

impl ToolSource for Relay {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let tool = skill_agent::ToolBuf::new("relay", "Relays.", json!({ "type": "object" }));
        Box::pin(async move { Ok(vec![tool.into()]) })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move {
            let session = Toolbox::of(&self.server).session(ForeignCaller::Model);
            let mut requests = Vec::new();
            for text in ["Buy milk.", "Buy bread."] {
                let arguments = json!({ "text": text }).to_string();
                if let Err(ToolError::Pending(request)) =
                    session.call("remove_note", &arguments).await
                {
                    requests.push(*request);
                }
            }
            Err(SourceError::pending((self.calls)(requests)))
        })
    }
}

#[timed_test::test]
async fn requests_without_ids_of_their_own_are_refused() {
    fn twice(requests: Vec<ApprovalRequest>) -> Vec<ApprovalRequest> {
        let mut requests = requests;
        requests[1].id = requests[0].id.clone();
        requests
    }
    fn without(requests: Vec<ApprovalRequest>) -> Vec<ApprovalRequest> {
        let mut requests = requests;
        requests[1].id.clear();
        requests
    }
    for calls in [twice, without] {
        let server = deferring().await;
        let session = with(Relay { calls, server })
            .await
            .session(ForeignCaller::Model);
        let error = session.call("relay", "{}").await.unwrap_err();
        let expected = "it waits for approval, but its requests have no ids of their own";
        assert_eq!(error.to_string(), expected);
    }
}

/// The guard of the outer toolbox, the caller and the source are checked again for each verdict.
#[timed_test::test]
async fn a_waiting_call_is_guarded_like_another_one() {
    let denies = Arc::new(AtomicBool::new(false));
    let server = deferring().await;
    let inner = || {
        Scripted::new()
            .calls([removal("Buy milk.")])
            .text("Removed.")
    };
    let guarded = async |name: &str, model: Scripted| {
        let denies = Arc::clone(&denies);
        let guard = move |attempt: &Attempt<'_>| match denies.load(Ordering::Relaxed) {
            true if attempt.tool.name == "clean" => Decision::Deny("not today".into()),
            _ => Decision::Allow,
        };
        let tools = Toolbox::of(&server);
        let tool = chat_tool("clean", "Cleans.", move || {
            // the inner calls have one caller for all people
            let builder = Chat::builder(model.clone(), tools.clone());
            builder.caller(ForeignCaller::Model.with_principal("service"))
        });
        let builder = Toolbox::builder().source(name, tool).guard(guard);
        builder
            .approval_secret("the secret of this test, which has 32 bytes")
            .build()
            .await
            .unwrap()
    };
    let toolbox = guarded("inner", inner()).await;
    let ann = ForeignCaller::Model.with_principal("ann");
    let chat = |toolbox: Toolbox, caller: ForeignCaller, history: Vec<Message>| {
        let model = Scripted::new().text("Fine.");
        Chat::builder(model, toolbox)
            .caller(caller)
            .history(history)
            .build()
            .unwrap()
    };
    let builder = Chat::builder(asks("clean"), toolbox.clone()).caller(ann.clone());
    let mut first = builder.build().unwrap();
    let id = first.send("Clean.").await.unwrap().pending[0].id.clone();
    let history = first.history().to_vec();

    let mut of_bob = chat(
        toolbox.clone(),
        ForeignCaller::Model.with_principal("bob"),
        history.clone(),
    );
    let error = of_bob.decide(&id, true).await.unwrap_err();
    assert!(
        error.to_string().ends_with("it is of another caller"),
        "{error}"
    );
    let other = guarded("other", inner()).await;
    let error = chat(other, ann.clone(), history.clone())
        .decide(&id, true)
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("the toolbox no longer has its tool"),
        "{error}"
    );
    assert_eq!(lines(&server).await.len(), 3);

    denies.store(true, Ordering::Relaxed);
    for verdict in [Verdict::Approve, Verdict::Deny("no".into())] {
        let mut denied = chat(toolbox.clone(), ann.clone(), history.clone());
        let turn = denied.decide(&id, verdict).await.unwrap();
        assert_eq!(results(&turn), ["error: `clean` was denied: not today"]);
    }
    assert_eq!(lines(&server).await.len(), 3);

    // each waiting call continues once
    denies.store(false, Ordering::Relaxed);
    chat(toolbox.clone(), ann.clone(), history.clone())
        .decide(&id, true)
        .await
        .unwrap();
    let error = chat(toolbox, ann, history)
        .decide(&id, true)
        .await
        .unwrap_err();
    assert!(
        error.to_string().ends_with("it was decided on before"),
        "{error}"
    );
    assert_eq!(lines(&server).await.len(), 2);
}

#[timed_test::test]
async fn an_abort_says_whether_inner_calls_have_run() {
    let server = deferring().await;
    let add = ("add_note", json!({ "text": "a" }));
    let inner = Scripted::new().calls([add, removal("Buy milk.")]);
    let (mut chat, id) = waiting(&asks("clean"), cleaning(&inner, &server)).await;
    let turn = chat
        .decide(&id, Verdict::Abort("enough".into()))
        .await
        .unwrap();
    let error = turn.calls[0].result.as_ref().unwrap_err();
    assert_eq!(error.applied(), Applied::Unknown);
    assert_eq!(
        error.to_string(),
        "`clean` was stopped, and its caller should stop: enough"
    );
}

/// The inner chat reaches its limit of time while an approved action runs.
#[timed_test::test]
async fn a_verdict_that_a_limit_stopped_leaves_the_call_waiting() {
    tokio::time::pause();
    let (gate, mut begun) = gate();
    let server = AgentServer::builder(Assistant::new())
        .resources(Gates { gate: gate.clone() })
        .guard(|_: &Attempt<'_>| Decision::Ask)
        .approver(|_: ApprovalRequest| async { Verdict::Later })
        .start()
        .await
        .unwrap();
    let inner = Scripted::new()
        .calls([("write_slowly", json!({ "name": "a" }))])
        .text("Written.");
    let tools = Toolbox::of(&server);
    let tool = chat_tool("clean", "Cleans.", move || {
        let limits = Limits::default().time(Duration::from_secs(10));
        Chat::builder(inner.clone(), tools.clone()).limits(limits)
    });
    let (mut chat, id) = waiting(&asks("clean").text("Fine."), tool).await;
    let turn = chat.decide(&id, true).await.unwrap();
    assert_eq!((turn.stop, turn.pending.len()), (Stop::Approval, 1));
    assert_eq!(turn.pending[0].id, id);
    begun.recv().await.unwrap();
    gate.open("a");
    let turn = chat.decide(&id, true).await.unwrap();
    assert_eq!(results(&turn), ["Written."]);
}

#[timed_test::test]
async fn an_inner_history_is_not_shown_by_a_layer_that_redacts() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([("add_note", json!({ "text": "4711" }))])
        .calls([removal("Buy milk.")])
        .text("Removed.");
    let toolbox = with(cleaning(&inner, &server)).await;
    let model = asks("clean").text("Fine.");
    let builder = Chat::builder(model, toolbox).layer(Redact::new(["4711"]));
    let mut chat = builder.build().unwrap();
    let mut stream = chat.stream("Clean.");
    while let Some(event) = stream.next().await {
        let event = event.unwrap();
        // the store gets the original
        if !matches!(event, Event::StepEnd(_)) {
            let shown = format!("{event:?}");
            assert!(!shown.contains("4711"), "{shown}");
        }
    }
    drop(stream);
    let id = chat.pending()[0].id.clone();
    assert_eq!(chat.decide(&id, true).await.unwrap().text(), "Fine.");
}

#[timed_test::test]
async fn the_settings_of_the_inner_builder_hold() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk.")])
        .text("Removed.");
    let (model, tools) = (inner.clone(), Toolbox::of(&server));
    let service = ForeignCaller::Model.with_principal("service");
    let tool = chat_tool("clean", "Cleans.", move || {
        let example = vec![
            Message::user("An example."),
            Message::assistant("An answer."),
        ];
        let builder = Chat::builder(model.clone(), tools.clone()).history(example);
        builder.caller(service.clone())
    });
    let model = asks("clean").usage(Usage::new(5, 1)).text("Fine.");
    let mut chat = outer(&model, tool).await;
    let turn = chat.send("Clean.").await.unwrap();
    assert_eq!(turn.pending[0].request.caller.principal(), Some("service"));
    assert_eq!(inner.requests()[0].messages.len(), 3);
    chat.decide(&turn.pending[0].id, true).await.unwrap();
    assert_eq!(inner.requests()[1].messages.len(), 5);
}

#[timed_test::test]
async fn tokens_after_a_verdict_count_for_the_outer_turn() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk.")])
        .text("Removed.")
        .usage(Usage::new(100, 10));
    let model = asks("clean").text("Fine.").usage(Usage::new(5, 1));
    let (mut chat, id) = waiting(&model, cleaning(&inner, &server)).await;
    let turn = chat.decide(&id, true).await.unwrap();
    assert_eq!(turn.usage, Usage::new(105, 11));
}

/// A chat may take longer than a call of another source.
#[timed_test::test]
async fn the_time_limit_of_the_toolbox_does_not_apply() {
    tokio::time::pause();
    let (server, gate, mut begun) = gated().await;
    let inner = Scripted::new()
        .calls([("read_slowly", json!({ "name": "a" }))])
        .text("Done.");
    let builder = Toolbox::builder().source("inner", cleaning(&inner, &server));
    let builder = builder.call_time_limit(Duration::from_secs(1));
    let toolbox = builder.build().await.unwrap();
    let chat = Chat::builder(asks("clean").text("Fine."), toolbox);
    let turn = tokio::spawn(ended(chat.build().unwrap().into_stream("Clean.")));
    begun.recv().await.unwrap();
    tokio::time::advance(Duration::from_secs(5)).await;
    gate.open("a");
    assert_eq!(results(&turn.await.unwrap().0), ["Done."]);
}

#[timed_test::test]
async fn approvals_pass_through_three_chats() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk.")])
        .text("Removed.");
    let mut source = cleaning(&inner, &server);
    for text in ["One.", "Two."] {
        let toolbox = with(source).await;
        let model = asks("clean").text(text);
        source = chat_tool("clean", "Passes on.", move || {
            Chat::builder(model.clone(), toolbox.clone())
        });
    }
    let mut chat = outer(&asks("clean").text("Three."), source).await;
    let turn = chat.send("Clean.").await.unwrap();
    assert_eq!(turn.pending[0].request.arguments["text"], "Buy milk.");
    let turn = chat.decide(&turn.pending[0].id, true).await.unwrap();
    assert_eq!(
        (turn.text(), results(&turn)),
        ("Three.", vec!["Two.".to_owned()])
    );
    assert_eq!(lines(&server).await.len(), 2);
}

/// A verdict whose turn is dropped counts, although the inner chat has not ended.
#[timed_test::test]
async fn a_verdict_that_was_dropped_is_not_given_again() {
    let server = deferring().await;
    let inner = Scripted::new()
        .calls([removal("Buy milk.")])
        .text("Removed.")
        .then_stall();
    let toolbox = with(cleaning(&inner, &server)).await;
    let mut chat = Chat::builder(asks("clean"), toolbox.clone())
        .build()
        .unwrap();
    let id = chat.send("Clean.").await.unwrap().pending[0].id.clone();
    let history = chat.history().to_vec();
    let mut stream = chat.into_stream_decide(&id, true);
    while lines(&server).await.len() == 3 {
        read_until_it_waits(&mut stream);
    }
    drop(stream);
    let builder = Chat::builder(Scripted::new(), toolbox).history(history);
    let error = builder
        .build()
        .unwrap()
        .decide(&id, true)
        .await
        .unwrap_err();
    assert!(
        error.to_string().ends_with("it was decided on before"),
        "{error}"
    );
}

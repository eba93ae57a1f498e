//! The kinds of completions, and their effects on a turn.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    CallPart, ChatError, KeptItem, Message, MessagePart, ModelError, ModelEvent, OpaquePart, Role,
    Scripted, Stop, TextPart,
};
use skill_agent::models::{Finish, ToolCall};

fn completion(events: impl IntoIterator<Item = ModelEvent>, finish: Finish) -> Scripted {
    let finish = ModelEvent::Finish(finish);
    Scripted::new().events(events.into_iter().chain([finish]))
}

fn text(text: &str) -> ModelEvent {
    ModelEvent::Part(TextPart::new(text).into())
}

#[timed_test::test]
async fn each_reason_to_stop_has_its_end() {
    let other = || Finish::Other("function_filter".into());
    for (part, finish, expected) in [
        (Some("Hello."), Finish::Answered, "Answered"),
        (None, Finish::Answered, "Answered"),
        (Some("Hel"), Finish::Truncated, "Truncated"),
        (None, Finish::Truncated, "Truncated"),
        (Some("I will not."), Finish::Refused, "Refused"),
        (None, Finish::Refused, "Refused"),
        (Some("Hello."), other(), "Answered"),
        (
            None,
            other(),
            "the completion of the model is malformed: it has neither text nor calls",
        ),
        (
            None,
            Finish::Calls,
            "the completion of the model is malformed: it waits for the results of no calls",
        ),
    ] {
        let server = server().await;
        let model = completion(part.map(text), finish.clone());
        let mut chat = chat(&model, &server);
        let ended = chat.send("Hi.").await;
        let ended = ended.map_or_else(
            |error| error.to_string(),
            |turn| {
                assert_eq!(turn.text(), part.unwrap_or(""));
                format!("{:?}", turn.stop)
            },
        );
        assert_eq!(ended, expected, "{part:?} and {finish:?}");
        // an empty completion is no message, and what failed is not there
        let is_error = expected.contains(' ');
        let messages = if is_error {
            0
        } else {
            1 + usize::from(part.is_some())
        };
        assert_eq!(chat.history().len(), messages, "{part:?} and {finish:?}");
    }
}

#[timed_test::test]
async fn calls_run_whatever_reason_a_server_gives_unless_it_refuses() {
    for finish in [
        Finish::Answered,
        Finish::Other(String::new()),
        Finish::Paused,
    ] {
        let server = server().await;
        let call = CallPart::new(ToolCall::new("add_note", r#"{"text":"A"}"#));
        let model = completion([ModelEvent::Part(call.into())], finish).text("Done.");
        let turn = chat(&model, &server).send("Hi.").await.unwrap();
        assert_eq!((turn.text(), turn.calls.len()), ("Done.", 1));
        assert_eq!(lines(&server).await, ["A"]);
    }
    let server = server().await;
    let call = CallPart::new(ToolCall::new("add_note", r#"{"text":"A"}"#));
    let model = completion([ModelEvent::Part(call.into())], Finish::Refused);
    let mut chat = chat(&model, &server);
    assert_eq!(chat.send("Hi.").await.unwrap().stop, Stop::Refused);
    assert!(lines(&server).await.is_empty());
    assert_whole(chat.history());
}

#[timed_test::test]
async fn a_paused_completion_goes_on_with_its_message() {
    let server = server().await;
    let model = completion([text("Let me search.")], Finish::Paused).text("Found.");
    let mut chat = chat(&model, &server);
    let turn = chat.send("Search.").await.unwrap();
    assert_eq!((turn.text(), turn.steps), ("Found.", 2));
    assert_eq!(model.requests()[1].messages.len(), 2);
}

/// A signed thought without text, one with text, a search of the provider and a call: all go back as they were written.
#[timed_test::test]
async fn the_items_of_a_provider_go_back_as_they_were_written() {
    let item = |json: &str| KeptItem::new("anthropic", json);
    let hidden = TextPart::new("").with_item(item(r#"{"type":"redacted_thinking","data":"x=="}"#));
    let signed = item(r#"{"type":"thinking","thinking":"Hm.","signature":"s", "n":1.50}"#);
    let thought = TextPart::new("Hm.").with_item(signed);
    let search = OpaquePart::new(item(r#"{"type":"server_tool_use"}"#));
    let call = CallPart::new(ToolCall::new("list_notes", "{ }").with_id("toolu_1"));
    let call = call.with_item(item(r#"{"type":"tool_use","input":{ }}"#));
    let parts: [MessagePart; 4] = [
        MessagePart::Reasoning(hidden),
        MessagePart::Reasoning(thought),
        search.into(),
        call.into(),
    ];
    let server = server().await;
    let model = completion(parts.clone().map(ModelEvent::Part), Finish::Calls).text("None.");
    let mut first = chat(&model, &server);
    first.send("Any notes?").await.unwrap();
    let sent = &model.requests()[1].messages;
    let mut expected = parts;
    if let MessagePart::Call(call) = &mut expected[3] {
        call.id = "call_1_1_0".to_owned();
    }
    assert_eq!(sent[1], Message::new(Role::Assistant, expected.to_vec()));
    assert_eq!(
        sent[2].results().next().unwrap().provider_id.as_deref(),
        Some("toolu_1")
    );

    // byte for byte, also from a store that changes the order of keys and the form of numbers
    let model = Scripted::new().text("Still none.");
    let kept = stored(first.history());
    let mut second = builder(&model, &server).history(kept).build().unwrap();
    second.send("And now?").await.unwrap();
    assert_eq!(model.requests()[0].messages[1], sent[1]);
}

#[timed_test::test]
async fn pieces_without_a_whole_part_become_one() {
    let server = server().await;
    let piece = |text: &str| ModelEvent::Text(text.into());
    let call = CallPart::new(ToolCall::new("list_notes", "{}"));
    let model = completion(
        [
            ModelEvent::Reasoning("Hm.".into()),
            piece("Let me "),
            piece("see."),
            ModelEvent::Part(call.into()),
        ],
        Finish::Calls,
    );
    // a whole part replaces its pieces
    let whole = [piece("No"), piece("ne."), text("None.")];
    let model = model.events(
        whole
            .into_iter()
            .chain([ModelEvent::Finish(Finish::Answered)]),
    );
    let mut chat = chat(&model, &server);
    let turn = chat.send("Any notes?").await.unwrap();
    assert_eq!(turn.text(), "None.");
    let parts = &chat.history()[1].parts;
    assert_eq!(parts[0], MessagePart::Reasoning(TextPart::new("Hm.")));
    assert_eq!(parts[1], TextPart::new("Let me see.").into());
    assert_eq!((parts.len(), chat.history()[3].parts.len()), (3, 1));
}

/// Models send the pieces first, and at the end the parts with what a provider needs to read them again.
#[timed_test::test]
async fn each_part_is_kept_once_in_the_order_of_the_model() {
    let server = server().await;
    let piece = |text: &str| ModelEvent::Text(text.into());
    let thought = |text: &str| ModelEvent::Reasoning(text.into());
    let reasoning = |text: &str| ModelEvent::Part(MessagePart::Reasoning(TextPart::new(text)));
    let opaque = || ModelEvent::Part(OpaquePart::new(KeptItem::new("p", "{}")).into());
    for (events, parts) in [
        (
            vec![thought("Hm."), piece("No."), reasoning("Hm."), text("No.")],
            "reasoning Hm.; text No.",
        ),
        (
            vec![thought("Hm."), piece("No."), text("No."), reasoning("Hm.")],
            "text No.; reasoning Hm.",
        ),
        (
            vec![piece("No."), opaque(), text("No.")],
            "opaque; text No.",
        ),
        (vec![piece("No."), reasoning("")], "text No.; reasoning "),
        (
            vec![
                piece("N"),
                thought("H"),
                piece("o."),
                thought("m."),
                opaque(),
            ],
            "text N; reasoning H; text o.; reasoning m.; opaque",
        ),
        (
            vec![
                piece("N"),
                thought("Hm."),
                piece("o."),
                text("N"),
                text("o."),
            ],
            "reasoning Hm.; text N; text o.",
        ),
        (
            vec![
                piece("N"),
                text("N"),
                opaque(),
                piece(""),
                piece("o"),
                piece("."),
            ],
            "text N; opaque; text o.",
        ),
    ] {
        let model = completion(events, Finish::Answered);
        let mut chat = chat(&model, &server);
        let turn = chat.send("Any notes?").await.unwrap();
        assert_eq!(turn.text(), "No.");
        let short = |part: &MessagePart| match part {
            MessagePart::Text(part) => format!("text {}", part.text),
            MessagePart::Reasoning(part) => format!("reasoning {}", part.text),
            _ => "opaque".to_owned(),
        };
        let found: Vec<String> = chat.history()[1].parts.iter().map(short).collect();
        assert_eq!(found.join("; "), parts);
    }
}

#[timed_test::test]
async fn an_error_leaves_the_steps_before_it_in_the_history() {
    let server = server().await;
    let refused = ModelError::Refused {
        request_id: Some("req_1".into()),
        message: "not allowed".into(),
    };
    let model = Scripted::new().calls([("add_note", json!({ "text": "A" }))]);
    let model = model.error(refused.clone()).text("Done.");
    let mut chat = chat(&model, &server);
    let Err(ChatError::Model(error)) = chat.send("Hi.").await else {
        panic!("the model refuses");
    };
    assert_eq!(error, refused);
    assert_eq!(
        error.to_string(),
        "the provider refused the request (request `req_1`): not allowed"
    );
    assert_eq!(chat.history().len(), 3);
    assert_eq!(chat.resume().await.unwrap().text(), "Done.");
}

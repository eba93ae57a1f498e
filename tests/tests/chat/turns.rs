//! Turns: their events, their messages, and a stream that is dropped before its end.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{Chat, ChatError, Event, MessagePart, Role, Scripted, Stop, Stream, Usage};
use skill_agent::toolbox::Toolbox;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

fn two_steps() -> Scripted {
    Scripted::new()
        .calls([
            ("add_note", json!({ "text": "Buy milk." })),
            ("list_notes", json!({})),
        ])
        .text("I noted it.")
}

#[timed_test::test]
async fn the_events_of_a_turn_come_in_order() {
    let server = server().await;
    let mut chat = chat(&two_steps(), &server);
    assert_eq!(
        events(chat.stream("Remember to buy milk.")).await,
        [
            "delta add_note",
            "delta list_notes",
            "calling add_note",
            "called add_note",
            "calling list_notes",
            "called list_notes",
            "step 1 with 3 messages",
            "text I noted it.",
            "step 2 with 1 messages",
            "done Answered",
        ]
    );
    let roles: Vec<Role> = chat.history().iter().map(|message| message.role).collect();
    assert_eq!(
        roles,
        [Role::User, Role::Assistant, Role::Tool, Role::Assistant]
    );
}

/// A stream is dropped after each number of its events. The history then has the steps that have ended, and nothing else.
#[timed_test::test]
async fn a_dropped_stream_leaves_the_last_whole_step() {
    let expected = [0, 0, 0, 0, 0, 0, 0, 3, 3, 4, 4];
    for (read, expected) in expected.into_iter().enumerate() {
        let server = server().await;
        let mut chat = chat(&two_steps().text("Anything else?"), &server);
        let mut turn = chat.stream("Remember to buy milk.");
        for _ in 0..read {
            turn.next().await.unwrap().unwrap();
        }
        drop(turn);
        assert_eq!(chat.history().len(), expected, "after {read} events");
        assert_whole(chat.history());
        // the conversation goes on from there; the model had begun the next answer when its text was read
        if expected == 3 {
            let next = if read == 7 {
                "I noted it."
            } else {
                "Anything else?"
            };
            assert_eq!(chat.resume().await.unwrap().text(), next);
        }
    }
}

#[timed_test::test]
async fn a_stream_that_owns_its_chat_gives_it_back() {
    fn owned<T: Send + 'static>(value: T) -> T {
        value
    }
    let server = server().await;
    let mut turn = owned(chat(&two_steps(), &server).into_stream("Remember to buy milk."));
    // it can be read on another task, such as that of a web server
    let turn = tokio::spawn(async move {
        while let Some(event) = turn.next().await {
            if let Event::StepEnd(_) = event.unwrap() {
                break;
            }
        }
        turn
    });
    let mut chat = turn.await.unwrap().into_chat();
    assert_eq!(chat.history().len(), 3);
    let turn = chat.resume().await.unwrap();
    assert_eq!((turn.text(), turn.steps), ("I noted it.", 1));
    assert_eq!(turn.to_string(), turn.text());
    assert!(matches!(
        chat.resume().await,
        Err(ChatError::NothingToResume)
    ));
}

/// For a response whose client may read any number of its events, and which may begin the next turn when it has read the last one.
#[timed_test::test]
async fn a_chat_comes_back_before_the_last_event_or_when_the_stream_is_dropped() {
    let expected = [0, 0, 0, 0, 0, 0, 0, 3, 3, 4, 4];
    for (read, expected) in expected.into_iter().enumerate() {
        let server = server().await;
        let chat = chat(&two_steps(), &server);
        let slot = Arc::new(Mutex::new(None));
        let place = Arc::clone(&slot);
        let mut turn = chat
            .into_stream("Remember to buy milk.")
            .give_back(move |chat| *place.lock().unwrap() = Some(chat));
        for at in 1..=read {
            next(&mut turn).await.unwrap().unwrap();
            let is_back = slot.lock().unwrap().is_some();
            assert_eq!(is_back, at == 10, "after {at} events");
        }
        if read == 10 {
            assert!(next(&mut turn).await.is_none());
        }
        drop(turn);
        let chat: Chat = slot.lock().unwrap().take().unwrap();
        assert_eq!(chat.history().len(), expected, "after {read} events");
    }
}

#[timed_test::test]
async fn a_chat_comes_back_before_an_error() {
    let server = server().await;
    let chat = chat(&Scripted::new(), &server);
    let slot = Arc::new(Mutex::new(None));
    let place = Arc::clone(&slot);
    let mut turn = chat
        .into_stream("Remember to buy milk.")
        .give_back(move |chat| *place.lock().unwrap() = Some(chat));
    assert!(next(&mut turn).await.unwrap().is_err());
    assert!(slot.lock().unwrap().is_some());
    assert!(next(&mut turn).await.is_none());
}

async fn next<S: Stream + Unpin>(stream: &mut S) -> Option<S::Item> {
    poll_fn(|cx| Pin::new(&mut *stream).poll_next(cx)).await
}

#[timed_test::test]
async fn the_events_of_steps_have_the_messages_that_are_in_the_history() {
    let server = server().await;
    let mut chat = chat(&two_steps(), &server);
    let mut messages = Vec::new();
    let mut turn = chat.stream("Remember to buy milk.");
    while let Some(event) = turn.next().await {
        if let Event::StepEnd(end) = event.unwrap() {
            messages.extend(end.messages);
        }
    }
    assert_eq!(chat.history(), messages);
}

#[timed_test::test]
async fn ids_of_calls_are_those_of_turn_step_and_call() {
    let server = server().await;
    let call = || [("list_notes", json!({})), ("list_notes", json!({}))];
    let model = Scripted::new().calls(call()).text("One.");
    let model = model.text("Two.").calls(call()).text("Three.");
    let mut chat = chat(&model, &server);
    for question in ["One?", "Two?", "Three?"] {
        chat.send(question).await.unwrap();
    }
    let ids = |chat: &Chat| -> Vec<String> {
        let calls = chat.history().iter().flat_map(|message| message.calls());
        calls.map(|call| call.id.clone()).collect()
    };
    assert_eq!(
        ids(&chat),
        ["call_1_1_0", "call_1_1_1", "call_3_1_0", "call_3_1_1"]
    );

    // a conversation that was shortened in its store goes on with other ids
    let rest = stored(&chat.history()[6..]);
    let model = Scripted::new().calls(call()).text("Four.");
    let builder = Chat::builder(model, Toolbox::of(&server)).history(rest);
    let mut chat = builder.build().unwrap();
    chat.send("Four?").await.unwrap();
    assert_eq!(
        ids(&chat),
        ["call_3_1_0", "call_3_1_1", "call_4_1_0", "call_4_1_1"]
    );
}

#[timed_test::test]
async fn the_tokens_of_steps_and_turns_are_counted() {
    let server = server().await;
    let mut first = Usage::new(100, 10);
    (first.cached, first.reasoning) = (80, 4);
    let model = Scripted::new()
        .calls([("list_notes", json!({}))])
        .usage(first);
    let model = model.text("None.").usage(Usage::new(120, 5));
    let mut chat = chat(&model, &server);
    let turn = chat.send("Any notes?").await.unwrap();
    assert_eq!((turn.usage.input, turn.usage.output), (220, 15));
    assert_eq!((turn.usage.cached, turn.usage.reasoning), (80, 4));
    assert_eq!((turn.usage.total(), turn.steps), (235, 2));
}

#[timed_test::test]
async fn a_history_with_a_call_or_a_result_alone_is_refused() {
    let server = server().await;
    let mut chat = chat(&two_steps(), &server);
    chat.send("Remember to buy milk.").await.unwrap();
    let whole = stored(chat.history());
    assert_eq!(whole, chat.history());
    for (left_out, index) in [(1, 0), (2, 1)] {
        let mut history = whole.clone();
        history.remove(left_out);
        let builder = builder(&Scripted::new(), &server).history(history);
        let Err(error) = builder.build() else {
            panic!("message {left_out} is left out");
        };
        let expected = format!("message {index} of the history: ");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
    let mut swapped = whole;
    swapped[2].parts.swap(0, 1);
    let error = builder(&Scripted::new(), &server).history(swapped).build();
    let error = error.err().map(|error| error.to_string());
    let expected = "message 1 of the history: its calls need their results in the message after it, in the same order";
    assert_eq!(error.as_deref(), Some(expected));
}

#[timed_test::test]
async fn images_are_for_models_that_read_them() {
    use skill_agent::chat::{ImagePart, Message, ModelProfile};
    use skill_agent::models::Provider;
    let server = server().await;
    let picture = || Message::from("What is it?").with(ImagePart::new("image/png", "iVBORw0KGgo="));
    let mut blind = chat(&Scripted::new().text("A cat."), &server);
    assert!(matches!(
        blind.send(picture()).await,
        Err(ChatError::Images)
    ));
    assert!(blind.history().is_empty());

    let seeing = Scripted::new().text("A cat.");
    let seeing = seeing.with_profile(ModelProfile::new(Provider::OPENAI_CHAT).with_images(true));
    let mut chat = chat(&seeing, &server);
    assert_eq!(chat.send(picture()).await.unwrap().stop, Stop::Answered);
    let sent = &seeing.requests()[0].messages[0].parts;
    assert!(matches!(
        &sent[..],
        [MessagePart::Text(_), MessagePart::Image(_)]
    ));
}

#[timed_test::test]
async fn a_message_of_the_user_has_no_calls_and_no_results() {
    use skill_agent::chat::{CallPart, Message};
    let server = server().await;
    let mut chat = chat(&Scripted::new().text("Hello."), &server);
    let call = CallPart::new(raw("add_note", "{}"));
    let refused = chat.send(Message::from("Hi.").with(call)).await;
    let expected = "message 0 of the history: only messages of the assistant have calls";
    assert_eq!(refused.unwrap_err().to_string(), expected);
    assert!(chat.history().is_empty());
}

//! Layers that change requests and completions.

use super::*;
use serde_json::json;
use skill_agent::chat::{Fallback, Message, ModelError, Stop, Usage};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A layer that adds a word to the last message, and notes when it runs.
struct Word(&'static str, Log);

impl ChatLayer for Word {
    fn request<'a>(&'a self, mut request: ChatRequest, next: Next<'a>) -> Requested<'a> {
        Box::pin(async move {
            self.1.note(format!("{} sends", self.0));
            let messages = Arc::make_mut(&mut request.messages);
            let last = messages.last_mut().unwrap();
            *last = Message::user(format!("{} {}", last.text(), self.0));
            let stream = next.send(request).await?;
            self.1.note(format!("{} has the stream", self.0));
            Ok(stream)
        })
    }
}

#[timed_test::test]
async fn layers_run_in_order_and_the_history_does_not_change() {
    for streams in [true, false] {
        let server = server().await;
        let (model, log) = (said(Scripted::new(), "Hello.", streams), Log::default());
        let chat = builder(&model, &server);
        let chat = chat
            .layer(Word("one", log.clone()))
            .layer(Word("two", log.clone()));
        let mut chat = chat.build().unwrap();
        assert_eq!(chat.send("Hi.").await.unwrap().text(), "Hello.");
        assert_eq!(sent(&model), [["Hi. one two"]]);
        assert_eq!(
            log.notes(),
            [
                "one sends",
                "two sends",
                "two has the stream",
                "one has the stream"
            ]
        );
        assert_eq!(chat.history()[0].text(), "Hi.");
    }
}

/// A layer that counts its requests.
#[derive(Clone, Default)]
struct Count(Arc<AtomicUsize>);

impl ChatLayer for Count {
    fn request<'a>(&'a self, request: ChatRequest, next: Next<'a>) -> Requested<'a> {
        self.0.fetch_add(1, Ordering::Relaxed);
        next.send(request)
    }
}

impl Count {
    fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }
}

#[timed_test::test]
async fn a_layer_runs_once_for_each_request_outside_of_retries_and_fallback() {
    tokio::time::pause();
    let server = server().await;
    let failed = || ModelError::Transport("reset".into());
    let model = Scripted::new()
        .error(failed())
        .calls([("list_notes", json!({}))]);
    let model = model.error(failed()).text("Hello.");
    let count = Count::default();
    let mut chat = layered(&model, &server, count.clone()).build().unwrap();
    chat.send("Hi.").await.unwrap();
    assert_eq!((count.take(), model.requests().len()), (2, 4));

    let models = Fallback::new(Scripted::new().error(failed())).then(Scripted::new().text("Hi."));
    let toolbox = skill_agent::toolbox::Toolbox::of(&server);
    let chat = Chat::builder(models, toolbox).layer(Arc::new(count.clone()));
    chat.build().unwrap().send("Hi.").await.unwrap();
    assert_eq!(count.take(), 1);
}

/// The layer reads events, and sees when those before are void.
#[timed_test::test]
async fn a_stream_of_a_layer_has_the_retries() {
    tokio::time::pause();
    let server = server().await;
    let model = Scripted::new()
        .events([ModelEvent::Text("Hel".into())])
        .text("Hello.");
    let mut chat = layered(&model, &server, Count::default()).build().unwrap();
    assert_eq!(
        events(chat.stream("Hi.")).await[..3],
        ["text Hel", "retry 2 after 1 s, discard", "text Hello."]
    );
    assert_eq!(chat.history()[1].text(), "Hello.");
}

#[timed_test::test]
async fn a_layer_may_change_the_completion() {
    let louder = || {
        requests(|request, next| {
            Box::pin(async move {
                let mut completion = whole(request, next).await?;
                let text = completion.message.text().to_uppercase();
                completion.message = Message::assistant(text);
                Ok(completion.into_stream())
            })
        })
    };
    for streams in [true, false] {
        let server = server().await;
        let model = said(Scripted::new(), "Hello.", streams);
        let mut chat = layered(&model, &server, louder()).build().unwrap();
        let turn = chat.send("Hi.").await.unwrap();
        assert_eq!((turn.text(), turn.stop), ("HELLO.", Stop::Answered));
        assert_eq!(chat.history()[1].text(), "HELLO.");
        let model = said(Scripted::new(), "Hello.", streams);
        let mut chat = layered(&model, &server, louder()).build().unwrap();
        assert_eq!(shown(&mut chat, "Hi.").await, "HELLO.");
    }
}

#[timed_test::test]
async fn a_whole_completion_has_the_calls_and_counts_its_tokens() {
    let server = server().await;
    let model = Scripted::new().calls([("add_note", json!({ "text": "a" }))]);
    let model = model.usage(Usage::new(10, 2)).text("Noted.");
    let layer = requests(|request, next| {
        Box::pin(async move { Ok(whole(request, next).await?.into_stream()) })
    });
    let mut chat = layered(&model, &server, layer).build().unwrap();
    let seen = events(chat.stream("Note a.")).await;
    assert_eq!(
        seen[..4],
        [
            "delta add_note",
            "calling add_note",
            "called add_note",
            "step 1 with 3 messages"
        ]
    );
    assert_eq!(lines(&server).await, ["a"]);
    let turn = chat.send("And now?").await;
    assert!(turn.is_err()); // the end of the script
    assert_whole(chat.history());
}

#[timed_test::test]
async fn a_layer_may_take_tools_out_of_a_request() {
    let server = server().await;
    let model = Scripted::new().text("Hello.");
    let layer = requests(|mut request, next| {
        let kept = request.tools.iter().filter(|tool| tool.hints.read_only);
        request.tools = kept.cloned().collect();
        next.send(request)
    });
    let mut chat = layered(&model, &server, layer).build().unwrap();
    chat.send("Hi.").await.unwrap();
    let names: Vec<_> = model.requests()[0]
        .tools
        .iter()
        .map(|tool| tool.name.clone())
        .collect();
    assert_eq!(names, ["list_notes", "read_slowly"]);
}

/// The answer is in the request until its form is chosen for a model.
#[timed_test::test]
async fn a_layer_that_changes_tools_keeps_the_tool_of_a_typed_answer() {
    use skill_agent::chat::{AnswerForm, ModelProfile};
    use skill_agent::models::Provider;
    let server = server().await;
    let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_answer_form(AnswerForm::Tool);
    let model = Scripted::new().with_profile(profile);
    let model = model.calls([("answer", json!({ "answer": 7 }))]);
    let layer = requests(|mut request, next| {
        request.tools = Vec::new().into();
        next.send(request)
    });
    let mut chat = layered(&model, &server, layer).build().unwrap();
    assert_eq!(chat.ask::<u8>("How many?").await.unwrap(), 7);
    assert_eq!(model.requests()[0].tools.len(), 1);
}

#[timed_test::test]
async fn a_resumed_turn_has_the_same_layers() {
    let server = server().await;
    let failed = ModelError::Request("a map".into());
    let model = Scripted::new()
        .calls([("list_notes", json!({}))])
        .error(failed);
    let count = Count::default();
    let mut chat = layered(&model, &server, count.clone()).build().unwrap();
    chat.send("Hi.").await.unwrap_err();
    assert_eq!(count.take(), 2);
    let history = stored(chat.history());
    let model = Scripted::new().text("None.");
    let chat = layered(&model, &server, count.clone()).history(history);
    let turn = chat.build().unwrap().resume().await.unwrap();
    assert_eq!((turn.text(), count.take()), ("None.", 1));
}

/// The shorter request is another request.
#[timed_test::test]
async fn a_conversation_that_is_too_long_passes_the_layers_again() {
    let server = server().await;
    let too_long = ModelError::ContextTooLong {
        request_id: None,
        message: "too long".into(),
    };
    let model = Scripted::new()
        .text("Hello.")
        .error(too_long)
        .text("Shorter.");
    let count = Count::default();
    let mut chat = layered(&model, &server, count.clone()).build().unwrap();
    chat.send("Hi.").await.unwrap();
    assert_eq!(chat.send("More.").await.unwrap().text(), "Shorter.");
    assert_eq!(count.take(), 3);
}

/// The chat knows the answering model, whatever the layers do.
#[timed_test::test]
async fn a_switch_behind_a_layer_that_reads_the_completion_is_still_an_event() {
    use skill_agent::chat::ModelProfile;
    use skill_agent::models::Provider;
    let server = server().await;
    let call = json!({ "text": "a", "times": null });
    let strict = ModelProfile::new(Provider::OPENAI_STRICT);
    let second = Scripted::new()
        .with_profile(strict)
        .calls([("add_note", call)]);
    let failed = ModelError::Transport("reset".into());
    let first = Scripted::new().error(failed).text("Noted.");
    let toolbox = skill_agent::toolbox::Toolbox::of(&server);
    let chat = Chat::builder(Fallback::new(first).then(second), toolbox).lenient(false);
    let layer = requests(|request, next| {
        Box::pin(async move { Ok(whole(request, next).await?.into_stream()) })
    });
    let mut chat = chat.layer(layer).build().unwrap();
    let seen = events(chat.stream("Note a.")).await;
    assert_eq!(seen[0], "switched to 1, cache lost");
    assert_eq!(lines(&server).await, ["a"]);
}

/// A cache is the usual example of a layer that answers itself.
#[timed_test::test]
async fn a_layer_may_answer_in_place_of_the_model() {
    let server = server().await;
    let call = skill_agent::models::ToolCall::new("add_note", r#"{"text":"a"}"#);
    let call = skill_agent::chat::CallPart::new(call);
    let layer = requests(move |request, _| {
        let answer = match request.messages.len() {
            1 => Message::new(
                skill_agent::chat::Role::Assistant,
                vec![call.clone().into()],
            ),
            _ => Message::assistant("Noted."),
        };
        Box::pin(async { Ok(Completion::new(answer).into_stream()) })
    });
    let model = Scripted::new();
    let mut chat = layered(&model, &server, layer).build().unwrap();
    let turn = chat.send("Note a.").await.unwrap();
    assert_eq!((turn.text(), turn.steps), ("Noted.", 2));
    assert_eq!(lines(&server).await, ["a"]);
    assert!(model.requests().is_empty());
    assert_whole(chat.history());
}

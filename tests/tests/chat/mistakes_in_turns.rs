//! Mistakes of a program with messages, typed answers and stopped servers, and their messages.

use crate::support::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use skill_agent::chat::{
    AnswerForm, Chat, ChatError, FilePart, ImagePart, Limits, Message, ModelProfile, Role,
    Scripted, TextPart, ToolChoice,
};
use skill_agent::models::Provider;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::toolbox::Toolbox;

fn seeing() -> Scripted {
    let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_images(true);
    Scripted::new().with_profile(profile)
}

#[timed_test::test]
async fn a_message_to_the_model_is_the_users() {
    let server = server().await;
    let model = Scripted::new().text("Noted.");
    let mut chat = chat(&model, &server);
    for (message, expected) in [
        (
            Message::assistant("Sure, here is the plan:"),
            "what the model said belongs in `.history(...)`, and a message to the model is the user's; write `Message::user(...)`",
        ),
        (
            Message::new(Role::Tool, vec![TextPart::new("1").into()]),
            "results of calls belong in `.history(...)`, and a message to the model is the user's; write `Message::user(...)`",
        ),
    ] {
        let error = chat.send(message).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert!(model.requests().is_empty() && chat.history().is_empty());
    // in the history it is what the model said
    let history = vec![
        Message::user("Plan my day."),
        Message::assistant("Buy milk."),
    ];
    let mut chat = builder(&model, &server)
        .history(history.clone())
        .build()
        .unwrap();
    chat.send(Message::user("And then?")).await.unwrap();
    let sent = &model.requests()[0].messages;
    assert_eq!(sent[..2], history);
    assert_eq!(sent[2], "And then?".into());
}

#[timed_test::test]
async fn the_data_of_images_and_files_is_base64() {
    let server = server().await;
    let model = seeing().text("A cat.");
    let mut chat = chat(&model, &server);
    let image = |data: &str| Message::user("What is it?").with(ImagePart::new("image/png", data));
    let file = FilePart::new("a.pdf", "application/pdf", "docs/a.pdf");
    let of_image = "the message cannot be sent: the data of an image is base64, and";
    let give = "give the bytes to `ImagePart::from_bytes`";
    for (message, expected) in [
        (
            image("photos/cat.png"),
            format!("{of_image} `photos/cat.png` is a path: read the file, and {give}"),
        ),
        (
            image("https://a.example/cat.png?key=hidden"),
            format!("{of_image} `https://a.example/cat.png` is an address: fetch what is there, and {give}"),
        ),
        (
            image(""),
            "the message cannot be sent: an image is empty; leave it out".to_owned(),
        ),
        (
            image("iVBORw0KGgo/AA"),
            format!("{of_image} this is not padded base64 in the standard alphabet: {give}"),
        ),
        (
            image("iVBORw0KGgo"),
            format!("{of_image} this is not padded base64 in the standard alphabet: {give}"),
        ),
        (
            Message::user("Read it.").with(file),
            "the message cannot be sent: the data of the file `a.pdf` is base64, and `docs/a.pdf` is a path: read the file, and give \
             the bytes to `FilePart::from_bytes`"
                .to_owned(),
        ),
    ] {
        let error = chat.send(message).await.unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert!(model.requests().is_empty() && chat.history().is_empty());
    let bytes = vec![0x89, b'P', b'N', b'G'];
    let expected = ImagePart::new("image/png", "iVBORw==");
    let parts = [
        ImagePart::new("image/png", "data:image/png;base64,iVBORw=="),
        ImagePart::from_bytes("image/png", &bytes),
        ImagePart::from_bytes("image/png", &bytes[..]),
        ImagePart::from_bytes("image/png", bytes),
    ];
    for part in parts {
        assert_eq!(part, expected);
    }
    chat.send(image("data:image/png;base64,iVBORw=="))
        .await
        .unwrap();
    assert_eq!(model.requests()[0].messages[0], image("iVBORw=="));
}

#[timed_test::test]
async fn a_text_is_the_choice_of_a_tool() {
    let server = server().await;
    let model = Scripted::new()
        .calls([("list_notes", json!({}))])
        .text("None.");
    let chat = builder(&model, &server).tool_choice("list_notes");
    chat.build().unwrap().send("Any notes?").await.unwrap();
    let choice = ToolChoice::Tool("list_notes".into());
    assert_eq!(model.requests()[0].tool_choice, choice);
    for (word, choice) in [("auto", "Auto"), ("any", "Required"), ("none", "None")] {
        let chat = builder(&model, &server).tool_choice(word.to_owned());
        let error = chat.build().unwrap().send("Any notes?").await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the request cannot be sent: its `tool_choice` demands a call, but there is no tool `{word}`; write `ToolChoice::{choice}`"
            )
        );
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Large,
}

/// The answer of a model that says this as often as it is asked.
async fn asked<T: skill_agent::chat::ModelAnswer>(
    form: AnswerForm,
    said: &str,
) -> Result<T, String> {
    let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_answer_form(form);
    let model = Scripted::new().with_profile(profile).text(said).text(said);
    let answer = chat(&model, &server().await).ask::<T>("Which one?").await;
    answer.map_err(|error| error.to_string())
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
struct Filter {
    city: Option<String>,
    limit: Option<u32>,
}

/// Such a type reads any object, so that a wrong answer would be an empty one.
#[timed_test::test]
async fn a_wrong_answer_is_not_read_as_an_empty_object() {
    for wrong in [
        r#"{"answer":{"city":"Oslo","limit":"many"}}"#,
        r#"{"anser":{"city":"Oslo"}}"#,
        r#"{"answer":{"answer":{}}, "more": 1}"#,
    ] {
        let form = AnswerForm::Schema;
        let answer = asked::<Option<Filter>>(form, wrong).await;
        assert!(answer.is_err(), "{wrong}: {answer:?}");
    }
}

#[timed_test::test]
async fn plain_words_are_a_text_and_no_other_answer() {
    for form in [AnswerForm::Schema, AnswerForm::Tool, AnswerForm::Prompt] {
        assert_eq!(asked(form, "Berlin").await, Ok("Berlin".to_owned()));
        assert_eq!(
            asked(form, " It's \"Berlin\". ").await,
            Ok("It's \"Berlin\".".to_owned())
        );
        assert_eq!(asked(form, "\"Berlin\"").await, Ok("Berlin".to_owned()));
        assert_eq!(asked(form, "7").await, Ok(7_u8));
        assert_eq!(asked(form, "8080").await, Ok("8080".to_owned()));
        assert_eq!(asked(form, "true").await, Ok(true));
        assert_eq!(asked(form, "[1, 2]").await, Ok(vec![1, 2]));
        assert_eq!(asked(form, "small").await, Ok(Size::Small));
        for (error, words) in [
            (asked::<bool>(form, "yes").await.unwrap_err(), "yes"),
            (asked::<()>(form, "ok").await.unwrap_err(), "ok"),
            (asked::<Size>(form, "tiny").await.unwrap_err(), "tiny"),
        ] {
            assert_eq!(
                error,
                format!(
                    "the answer does not fit its type: at the top level: the model answered in words, not JSON: `{words}`; \
                     `chat.send` gives the text"
                )
            );
        }
        // what was meant as JSON is read as JSON
        let error = asked::<String>(form, "{\"answer\": 7").await.unwrap_err();
        assert!(!error.contains("in words"), "{error}");
    }
}

#[timed_test::test]
async fn a_turn_without_an_answer_says_how_to_get_one() {
    let builder = AgentServer::builder(Assistant::new()).resources(Gates { gate: gate().0 });
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
    let server = builder.start().await.unwrap();
    let model = Scripted::new().calls([("clear_notes", json!({}))]);
    let error = chat(&model, &server)
        .ask::<u8>("Clear them.")
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the turn ended without an answer: the call `call_1_1_0` of `clear_notes` waits for approval; decide on each with \
         `chat.decide(...)`, and ask again"
    );
    for (steps, what) in [(1, "1 step"), (2, "2 steps")] {
        let call = || [("list_notes", json!({}))];
        let model = Scripted::new().calls(call()).calls(call());
        let chat = crate::support::builder(&model, &server).limits(Limits::default().steps(steps));
        let error = chat.build().unwrap().ask::<u8>("Count.").await.unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the turn ended without an answer: the limit of {what} is reached; raise `Limits::steps`"
            )
        );
    }
}

#[timed_test::test]
async fn a_chat_whose_server_has_stopped_is_no_chat_without_tools() {
    let server = server().await;
    let model = Scripted::new().text("Noted.").text("I have no tools.");
    let toolbox = Toolbox::of(&server);
    let mut chat = Chat::builder(model.clone(), toolbox).build().unwrap();
    chat.send("Hello?").await.unwrap();
    server.stop().await.unwrap();
    let error = chat.send("Note milk.").await.unwrap_err();
    assert!(matches!(error, ChatError::Withheld(_)), "{error}");
    assert_eq!(
        error.to_string(),
        "the model would have no tools: those of `assistant` are withheld: the server has stopped: it was stopped"
    );
    assert_eq!((model.requests().len(), chat.history().len()), (1, 2));
    // a toolbox without sources is no mistake
    let empty = Toolbox::builder().build().await.unwrap();
    let mut chat = Chat::builder(model, empty).build().unwrap();
    chat.send("Hello?").await.unwrap();
}

//! Long conversations: the part of requests that does not change, and turns that are left out.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    CallPart, Chat, ChatError, ChatRequest, Message, ModelError, ModelProfile, ResultPart, Role,
    Scripted, TextPart,
};
use skill_agent::models::Provider;
use skill_agent::toolbox::OutputPart;

/// A request in the order in which providers read it.
fn text_of(request: &ChatRequest) -> String {
    let tools = Provider::ANTHROPIC.tools_json(
        &request
            .tools
            .iter()
            .map(|tool| tool.as_tool())
            .collect::<Vec<_>>(),
    );
    let mut text = tools.unwrap() + &request.system_text();
    for message in request.messages.iter() {
        text += &serde_json::to_string(message).unwrap();
    }
    text
}

fn shared(before: &str, after: &str) -> usize {
    let pairs = before.bytes().zip(after.bytes());
    pairs.take_while(|(before, after)| before == after).count()
}

#[timed_test::test]
async fn nine_tenths_of_the_prompts_of_ten_turns_are_an_unchanged_prefix() {
    let server = server().await;
    let model = (0..10).fold(Scripted::new(), |model, n| {
        let text = format!("Note number {n}, which is one short sentence.");
        let model = model.calls([("add_note", json!({ "text": text }))]);
        model.text(format!("I have noted it; there are {n} notes before it."))
    });
    let mut chat = builder(&model, &server)
        .system("You keep notes.")
        .build()
        .unwrap();
    for n in 0..10 {
        let question = format!("Please keep note number {n} for me.");
        chat.send(question).await.unwrap();
    }
    let requests: Vec<String> = model.requests().iter().map(text_of).collect();
    let (mut cached, mut all) = (0, 0);
    for pair in requests.windows(2) {
        cached += shared(&pair[0], &pair[1]);
        all += pair[1].len();
        // all of a request is the beginning of the next one
        assert_eq!(shared(&pair[0], &pair[1]), pair[0].len());
    }
    let percent = 100.0 * cached as f64 / all as f64;
    println!("{percent:.1} % of the prompts after the first are an unchanged prefix");
    assert!(percent >= 90.0);
}

#[timed_test::test]
async fn the_system_text_is_that_of_the_program_and_then_of_the_skills() {
    let server = server().await;
    let model = Scripted::new().text("One.").text("Two.");
    let mut chat = builder(&model, &server)
        .system("You keep notes.")
        .build()
        .unwrap();
    let expected = "You keep notes.\n\nA note is one short sentence.";
    assert_eq!(chat.system_text(), expected);
    let origins: Vec<&str> = chat
        .system_parts()
        .iter()
        .map(|part| part.origin.as_str())
        .collect();
    assert_eq!(origins, ["program", "notes"]);
    chat.send("One?").await.unwrap();
    chat.send("Two?").await.unwrap();
    assert!(
        model
            .requests()
            .iter()
            .all(|request| request.system_text() == expected)
    );
}

/// A turn of about 270 tokens: a question, a call, its result and an answer.
pub fn turns(count: usize) -> Scripted {
    (0..count).fold(Scripted::new(), |model, n| {
        let text = format!("{n}{}", "a".repeat(400));
        let model = model.calls([("add_note", json!({ "text": text }))]);
        model.text(format!("{n}{}", "b".repeat(400)))
    })
}

/// Begins so many turns, whose questions begin with their numbers.
pub async fn say(chat: &mut Chat, turns: usize) {
    for n in 0..turns {
        let question = format!("{n:02}{}", "c".repeat(200));
        chat.send(question).await.unwrap();
    }
}

pub fn first_questions(model: &Scripted) -> Vec<String> {
    let first = |request: &ChatRequest| request.messages[0].text()[..2].to_owned();
    model.requests().iter().map(first).collect()
}

#[timed_test::test]
async fn the_oldest_turns_are_left_out_as_a_whole() {
    let server = server().await;
    let model = turns(12);
    let mut chat = builder(&model, &server)
        .history_tokens(1_600)
        .build()
        .unwrap();
    say(&mut chat, 12).await;
    assert_eq!(chat.history().len(), 48); // all of it
    let requests = model.requests();
    for request in &requests {
        assert_eq!(request.messages[0].role, Role::User);
        assert_whole(&request.messages);
        assert!(serde_json::to_string(&*request.messages).unwrap().len() < 12_000);
    }
    // the cut stays where it is for some turns, for the cache of the provider
    let mut begins = first_questions(&model);
    begins.dedup();
    println!("the requests begin with turn {}", begins.join(", "));
    assert!((3..=5).contains(&begins.len()), "{begins:?}");
}

#[timed_test::test]
async fn the_running_turn_is_never_cut() {
    let server = server().await;
    let model = turns(6);
    let mut chat = builder(&model, &server).history_tokens(64).build().unwrap();
    say(&mut chat, 6).await;
    let lengths: Vec<usize> = model
        .requests()
        .iter()
        .map(|request| request.messages.len())
        .collect();
    assert_eq!(lengths, [1, 3].repeat(6));
    assert_eq!(first_questions(&model)[10..], ["05", "05"]);
}

#[timed_test::test]
async fn images_and_files_in_results_count() {
    let data = "a".repeat(8_000);
    let (image, pdf) = ("image/png".to_owned(), "application/pdf".to_owned());
    let file = OutputPart::File {
        name: None,
        media_type: pdf,
        data: data.clone(),
    };
    let image = OutputPart::Image {
        media_type: image,
        data: data.clone(),
    };
    for (part, least) in [(image, 1_600), (file, 2_000)] {
        for (limit, sent) in [(least, 1), (least + 100, 5)] {
            let server = server().await;
            let mut call = CallPart::new(raw("look", "{}"));
            call.id = "call_1_1_0".into();
            let result = ResultPart::new(&call, Ok(part.clone().into()));
            let history = vec![
                "Look.".into(),
                Message::new(Role::Assistant, vec![call.into()]),
                Message::new(Role::Tool, vec![result.into()]),
                Message::new(Role::Assistant, vec![TextPart::new("I see.").into()]),
            ];
            let model = Scripted::new().text("Again.");
            let chat = builder(&model, &server).history(history);
            let mut chat = chat.history_tokens(limit).build().unwrap();
            chat.send("Again?").await.unwrap();
            assert_eq!(model.requests()[0].messages.len(), sent, "{limit}");
        }
    }
}

#[timed_test::test]
async fn a_turn_that_is_resumed_is_never_cut() {
    let server = server().await;
    let note = json!({ "text": "a".repeat(400) });
    let model = Scripted::new().calls([("add_note", note)]);
    let model = model.error(ModelError::Request("a map".into()));
    let model = model.text("Done.");
    let mut chat = builder(&model, &server).history_tokens(64).build().unwrap();
    chat.send("00").await.unwrap_err();
    assert_eq!(chat.resume().await.unwrap().text(), "Done.");
    let requests = model.requests();
    assert_eq!(requests[2].messages, requests[1].messages);
    assert_eq!(requests[2].messages.len(), 3);
}

#[timed_test::test]
async fn the_question_of_a_typed_answer_is_never_cut() {
    let server = server().await;
    let model = turns(2)
        .text("no JSON")
        .text("[true]")
        .text("{\"answer\":[1]}");
    let mut chat = builder(&model, &server).history_tokens(64).build().unwrap();
    say(&mut chat, 2).await;
    let question = format!("02{}", "c".repeat(200));
    chat.ask::<Vec<u8>>(question.as_str()).await.unwrap_err();
    // the second request of the question, with what is wrong in the first answer
    assert_eq!(first_questions(&model)[4..], ["02", "02"]);
}

/// The message that asks for another answer belongs to the turn of its question, also from a store.
#[timed_test::test]
async fn a_repaired_answer_is_left_out_with_its_question() {
    let server = server().await;
    let model = Scripted::new().text("no JSON").text("{\"answer\":[1]}");
    let mut first = chat(&model, &server);
    let question = "q".repeat(200);
    first.ask::<Vec<u8>>(question.as_str()).await.unwrap();
    assert_eq!(first.history().len(), 4);

    let model = Scripted::new()
        .calls([("list_notes", json!({}))])
        .text("Done.");
    let chat = builder(&model, &server).history(stored(first.history()));
    let mut second = chat.history_tokens(80).build().unwrap();
    let turn = second.send("Go.").await.unwrap();
    assert_eq!(first_questions(&model), ["Go", "Go"]);
    assert_eq!(turn.calls[0].id, "call_2_1_0");

    // sent by the program, it is a question
    let model = Scripted::new().text("Done.");
    let model = model.calls([("list_notes", json!({}))]).text("Done.");
    let chat = builder(&model, &server).history(stored(first.history()));
    let mut again = chat.build().unwrap();
    again.send(first.history()[2].clone()).await.unwrap();
    let turn = again.send("Go.").await.unwrap();
    assert_eq!(turn.calls[0].id, "call_3_1_0");

    // a message of the user after it begins a turn
    let model = Scripted::new().text("Done.");
    let mut unfinished = stored(&first.history()[..3]);
    unfinished.push("Go.".into());
    let chat = builder(&model, &server).history(unfinished);
    let mut third = chat.history_tokens(70).build().unwrap();
    third.resume().await.unwrap();
    assert_eq!(first_questions(&model), ["Go"]);
}

#[timed_test::test]
async fn the_window_of_the_model_is_the_default_limit() {
    let server = server().await;
    let sent = async |window: usize, limit: Option<usize>| {
        let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_context_window(window);
        let model = turns(12).with_profile(profile);
        let mut chat = builder(&model, &server);
        if let Some(limit) = limit {
            chat = chat.history_tokens(limit);
        }
        let mut chat = chat.build().unwrap();
        say(&mut chat, 12).await;
        first_questions(&model)
    };
    // three quarters of it
    let default = sent(1_600, None).await;
    assert_ne!(default[23], "00");
    assert_eq!(default, sent(1_000_000, Some(1_200)).await);
    assert_ne!(default, sent(1_000_000, Some(1_600)).await);
}

#[timed_test::test]
async fn a_request_that_the_model_refuses_as_too_long_is_shortened_once() {
    let server = server().await;
    let too_long = || ModelError::ContextTooLong {
        request_id: None,
        message: "too long".into(),
    };
    let model = turns(3)
        .error(too_long())
        .text("Shorter.")
        .error(too_long())
        .error(too_long())
        .text("never asked for");
    let mut chat = chat(&model, &server);
    say(&mut chat, 3).await;
    assert_eq!(chat.send("More.").await.unwrap().text(), "Shorter.");
    let lengths: Vec<usize> = model
        .requests()
        .iter()
        .map(|request| request.messages.len())
        .collect();
    assert_eq!(lengths[6], 13);
    assert!(lengths[7] < 13, "{lengths:?}");
    let error = chat.send("More.").await.unwrap_err();
    assert!(matches!(error, ChatError::Model(error) if error == too_long()));
    assert_eq!(model.requests().len(), 10);

    // nothing is left to shorten in the first turn
    let model = Scripted::new().error(too_long()).text("never asked for");
    let mut chat = crate::support::chat(&model, &server);
    assert!(chat.send("Hi.").await.is_err());
    assert_eq!(model.requests().len(), 1);
}

#[timed_test::test]
async fn a_refusal_in_unknown_words_is_shortened_once_if_the_window_is_nearly_full() {
    let server = server().await;
    let refused = |status| ModelError::Status {
        status,
        request_id: None,
        message: "the scroll is full".into(),
        retry_after: None,
    };
    for (window, status, is_shortened) in [
        (1_000, 400, true),
        (1_000, 422, true),
        (1_000, 401, false),
        (100_000, 400, false),
    ] {
        let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_context_window(window);
        let model = turns(4).error(refused(status)).text("Shorter.");
        let model = model.with_profile(profile);
        let chat = builder(&model, &server).history_tokens(1_000_000);
        let mut chat = chat.build().unwrap();
        say(&mut chat, 4).await;
        let turn = chat.send("More.").await;
        let lengths: Vec<usize> = model
            .requests()
            .iter()
            .skip(8)
            .map(|request| request.messages.len())
            .collect();
        if is_shortened {
            assert_eq!(turn.unwrap().text(), "Shorter.");
            assert!(lengths.len() == 2 && lengths[1] < lengths[0], "{lengths:?}");
        } else {
            assert!(matches!(turn, Err(ChatError::Model(error)) if error == refused(status)));
            assert_eq!(lengths.len(), 1);
        }
    }
}

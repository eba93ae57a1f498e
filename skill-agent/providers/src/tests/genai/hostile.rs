//! Tests of hostile servers, and of ids that repeat or belong to another call.

use super::*;
use crate::tests::hostile::malformed;

fn piece(index: usize, rest: &str) -> String {
    format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index},{rest}}}]}}}}]}}"#)
}

const END: &str = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;

async fn error_of(kind: AdapterKind, response: Response) -> ModelError {
    let server = Server::start([response]).await;
    error(&model(&server, kind)).await
}

#[tokio::test]
async fn ids_that_count_from_one_do_not_mix_calls_up() {
    let begin = |index: usize| {
        let id = index + 1;
        piece(
            index,
            &format!(r#""id":"call_{id}","function":{{"name":"add_{index}","arguments":""}}"#),
        )
    };
    let rest = |index: usize| {
        let arguments = format!(r#""function":{{"arguments":"{{\"n\":{index}}}"}}"#);
        piece(index, &arguments)
    };
    let one_by_one = [begin(0), rest(0), begin(1), rest(1), begin(2), rest(2)];
    let events: Vec<&str> = one_by_one.iter().map(String::as_str).chain([END]).collect();
    let collected = collected_from(AdapterKind::OpenAI, completions(&events)).await;
    let read: Vec<_> = calls(&collected.parts)
        .into_iter()
        .map(|(_, name, arguments)| (name.to_owned(), arguments.to_owned()))
        .collect();
    let expected = (0..3).map(|index| (format!("add_{index}"), format!(r#"{{"n":{index}}}"#)));
    assert_eq!(read, expected.collect::<Vec<_>>());

    // the second call's piece has the first call's id, and could belong to it
    let mixed = [begin(0), begin(1), begin(2), rest(1)];
    let events: Vec<&str> = mixed.iter().map(String::as_str).chain([END]).collect();
    let error = error_of(AdapterKind::OpenAI, completions(&events)).await;
    malformed(&error, "pieces with the numbers of their calls");
}

#[tokio::test]
async fn a_call_without_a_name_is_malformed() {
    let nameless = piece(0, r#""id":"a","function":{"arguments":"{}"}"#);
    let error = error_of(AdapterKind::OpenAI, completions(&[&nameless, END])).await;
    malformed(&error, "expected calls with names");
}

#[tokio::test]
async fn calls_without_end_are_malformed() {
    let call = |index| {
        let id = format!(r#""id":"c{index}","function":{{"name":"a","arguments":"{{}}"}}"#);
        piece(index, &id)
    };
    let calls: Vec<String> = (0..5000).map(call).collect();
    let events: Vec<&str> = calls.iter().map(String::as_str).collect();
    let error = error_of(AdapterKind::OpenAI, completions(&events)).await;
    malformed(&error, "at most 4096 entries");
}

#[tokio::test]
async fn an_event_of_responses_that_genai_does_not_read_ends_a_completion_early() {
    for event in [
        r#"{"type":"response.output_text.delta","delta":{"private":1}}"#,
        r#"{"type":"response.completed","response":"private"}"#,
    ] {
        let error = error_of(AdapterKind::OpenAIResp, Response::events(&[event])).await;
        assert_eq!(error, ModelError::CutOff { request_id: None });
    }
}

#[tokio::test]
async fn an_event_of_gemini_without_a_candidate_ends_no_completion() {
    let usage = r#"{"usageMetadata":{"promptTokenCount":1}}"#;
    let text = r#"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#;
    let end = r#"{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}"#;
    let response = Response::events(&[usage, text, usage, end]);
    let collected = collected_from(AdapterKind::Gemini, response).await;
    assert_eq!(
        (&*collected.text, collected.finish),
        ("ab", Some(Finish::Answered))
    );
    let response = Response::events(&[usage, text, usage]);
    let error = error_of(AdapterKind::Gemini, response).await;
    assert_eq!(error, ModelError::CutOff { request_id: None });
}

#[tokio::test]
async fn a_completion_of_another_provider_that_failed_is_cut_off() {
    let failed = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"error"}]}"#;
    let error = error_of(AdapterKind::OpenAI, completions(&[failed])).await;
    assert_eq!(error, ModelError::CutOff { request_id: None });
}

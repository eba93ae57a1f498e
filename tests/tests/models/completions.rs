//! Completions of every format, and the results that go back.

use serde_json::{Value, json};
use skill_agent::models::openai::{chat, responses};
use skill_agent::models::{
    Completion, CompletionError, Content, Finish, ToolCall, ToolResult, anthropic, gemini,
};

type Read = fn(&str) -> Result<Completion, CompletionError>;

/// Text and two calls with one id, the second with arguments that are no JSON.
const CHAT: &str = r#"{"id":"c1","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":
    {"role":"assistant","content":"Let me see.","refusal":null,"reasoning_content":"Two calls.","tool_calls":[
        {"id":"call_1","type":"function","function":{"name":"add","arguments":"{\"a\": 1.50, \"a\": 2}"}},
        {"id":"call_1","type":"function","function":{"name":"list","arguments":"{\"a\":"}}]}}]}"#;
const RESPONSE: &str = r#"{"id":"r1","status":"completed","incomplete_details":null,"error":null,"output":[
    {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Two "},{"type":"summary_text","text":"calls."}],"encrypted_content":"gAAA="},
    {"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text","text":"Let me see.","annotations":[]}]},
    {"type":"function_call","id":"fc_1","call_id":"call_1","name":"add","arguments":"{\"a\": 1.50, \"a\": 2}"},
    {"type":"function_call","id":"fc_2","call_id":"call_1","name":"list","arguments":"{\"a\":"}]}"#;
const MESSAGE: &str = r#"{"id":"msg_1","type":"message","role":"assistant","stop_reason":"tool_use","content":[
    {"type":"thinking","thinking":"Two calls.","signature":"EqQB=="},
    {"type":"text","text":"Let me see."},
    {"type":"tool_use","id":"call_1","name":"add","input":{"a": 1.50, "a": 2}},
    {"type":"tool_use","id":"call_1","name":"list","input":{}}]}"#;
const GEMINI: &str = r#"{"candidates":[{"index":0,"finishReason":"STOP","content":{"role":"model","parts":[
    {"text":"Two calls.","thought":true},
    {"text":"Let me see."},
    {"functionCall":{"name":"add","args":{"a": 1.50, "a": 2}},"thoughtSignature":"CtQB=="},
    {"functionCall":{"name":"list"}}]}}]}"#;

const FORMATS: [(&str, Read, &str); 4] = [
    ("chat", chat::read, CHAT),
    ("responses", responses::read, RESPONSE),
    ("anthropic", anthropic::read, MESSAGE),
    ("gemini", gemini::read, GEMINI),
];

fn refused(read: Read, text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn the_same_answer_is_read_from_every_format() {
    for (name, read, text) in FORMATS {
        let completion = read(text).unwrap();
        let contents: Vec<&Content> = completion.parts.iter().map(|part| &part.content).collect();
        let [
            Content::Reasoning(reasoning),
            Content::Text(said),
            Content::Call(add),
            Content::Call(list),
        ] = contents[..]
        else {
            panic!("{name}: {contents:?}");
        };
        assert_eq!(
            (reasoning.as_str(), said.as_str()),
            ("Two calls.", "Let me see."),
            "{name}"
        );
        assert_eq!(completion.text(), "Let me see.");
        // as it was written: a repeated key, and all digits
        assert_eq!(
            (add.name.as_str(), add.arguments.as_str()),
            ("add", r#"{"a": 1.50, "a": 2}"#)
        );
        let is_text = ["chat", "responses"].contains(&name);
        assert_eq!(
            (list.name.as_str(), list.arguments.as_str()),
            ("list", if is_text { r#"{"a":"# } else { "{}" })
        );
        let id = (name != "gemini").then_some("call_1");
        assert_eq!((add.id.as_deref(), list.id.as_deref()), (id, id), "{name}");
        assert_eq!(completion.calls().count(), 2);
        assert_eq!(completion.finish, Finish::Calls, "{name}");
    }
}

#[test]
fn what_goes_back_is_what_the_provider_wrote() {
    for (name, read, text) in FORMATS {
        let completion = read(text).unwrap();
        let sent = completion.messages.join(",");
        for part in &completion.parts {
            assert!(text.contains(&part.json), "{name}: {}", part.json);
            assert!(sent.contains(&part.json), "{name}: {}", part.json);
        }
        for kept in ["EqQB==", "CtQB==", "gAAA=", "1.50"] {
            assert_eq!(sent.contains(kept), text.contains(kept), "{name}: {kept}");
        }
        let count = if name == "responses" { 4 } else { 1 };
        assert_eq!(completion.messages.len(), count, "{name}");
        let roles = completion.messages.iter().map(|message| {
            let message: Value = serde_json::from_str(message).unwrap();
            message["role"].clone()
        });
        let roles: Vec<Value> = roles.filter(|role| !role.is_null()).collect();
        assert_eq!(
            roles,
            [if name == "gemini" {
                "model"
            } else {
                "assistant"
            }],
            "{name}"
        );
    }
}

fn results() -> [ToolResult; 2] {
    let call = ToolCall::new("add", "{}").with_id("call_7");
    let failed = ToolCall::new("list", "{}");
    [
        call.result(Ok::<_, String>(r#"{"sum":3}"#.to_owned())),
        failed.result(Err("no list")),
    ]
}

fn json_of(messages: Vec<String>) -> Value {
    messages
        .iter()
        .map(|text| serde_json::from_str::<Value>(text).unwrap())
        .collect()
}

#[test]
fn results_have_the_form_of_the_provider() {
    let error = r#"{"error":"no list"}"#;
    assert_eq!(
        json_of(chat::results(&results())),
        json!([
            { "role": "tool", "tool_call_id": "call_7", "content": "{\"sum\":3}" },
            { "role": "tool", "tool_call_id": "call_1", "content": error },
        ])
    );
    assert_eq!(
        json_of(responses::results(&results())),
        json!([
            { "type": "function_call_output", "call_id": "call_7", "output": "{\"sum\":3}" },
            { "type": "function_call_output", "call_id": "call_1", "output": error },
        ])
    );
    assert_eq!(
        json_of(anthropic::results(&results())),
        json!([{ "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "call_7", "content": "{\"sum\":3}" },
            { "type": "tool_result", "tool_use_id": "call_1", "content": "no list", "is_error": true },
        ] }])
    );
    assert_eq!(
        json_of(gemini::results(&results())),
        json!([{ "role": "user", "parts": [
            { "functionResponse": { "id": "call_7", "name": "add", "response": { "output": { "sum": 3 } } } },
            { "functionResponse": { "name": "list", "response": { "error": "no list" } } },
        ] }])
    );
    assert!(anthropic::results(&[]).is_empty() && gemini::results(&[]).is_empty());
    let text = ToolCall::new("say", "{}").result(Ok::<_, String>("not JSON".to_owned()));
    assert_eq!(
        json_of(gemini::results(&[text]))[0]["parts"][0]["functionResponse"]["response"]["output"],
        "not JSON"
    );
}

#[test]
fn the_reason_to_stop_is_read() {
    let chat_of = |reason: &str| {
        format!(
            r#"{{"choices":[{{"finish_reason":{reason},"message":{{"role":"assistant","content":"a"}}}}]}}"#
        )
    };
    let response_of = |rest: &str| {
        format!(
            r#"{{"output":[{{"type":"message","content":[{{"type":"output_text","text":"a"}}]}}],{rest}}}"#
        )
    };
    let message_of = |reason: &str| {
        format!(r#"{{"content":[{{"type":"text","text":"a"}}],"stop_reason":{reason}}}"#)
    };
    let gemini_of = |reason: &str| {
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"a"}}]}},"finishReason":{reason}}}]}}"#
        )
    };
    let other = |reason: &str| Finish::Other(reason.to_owned());
    let rows: Vec<(Read, String, Finish)> = vec![
        (chat::read, chat_of(r#""stop""#), Finish::Answered),
        (chat::read, chat_of(r#""length""#), Finish::Truncated),
        (chat::read, chat_of(r#""content_filter""#), Finish::Refused),
        (chat::read, chat_of(r#""eos""#), other("eos")),
        // a whole completion is not cut off
        (chat::read, chat_of("null"), Finish::Answered),
        (chat::read, chat_of(r#""null""#), Finish::Answered),
        (chat::read, chat_of(r#""""#), Finish::Answered),
        (
            chat::read,
            r#"{"choices":[{"finish_reason":null,"message":{"content":""}}]}"#.to_owned(),
            other(""),
        ),
        (
            chat::read,
            r#"{"choices":[{"finish_reason":null,"message":{"refusal":"No."}}]}"#.to_owned(),
            Finish::Refused,
        ),
        (
            responses::read,
            response_of(r#""status":null"#),
            Finish::Answered,
        ),
        (anthropic::read, message_of("null"), Finish::Answered),
        (gemini::read, gemini_of("null"), Finish::Answered),
        (
            responses::read,
            response_of(r#""status":"completed""#),
            Finish::Answered,
        ),
        (
            responses::read,
            response_of(
                r#""status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}"#,
            ),
            Finish::Truncated,
        ),
        (
            responses::read,
            response_of(
                r#""status":"incomplete","incomplete_details":{"reason":"content_filter"}"#,
            ),
            Finish::Refused,
        ),
        (
            responses::read,
            response_of(r#""status":"cancelled""#),
            other("cancelled"),
        ),
        (
            anthropic::read,
            message_of(r#""end_turn""#),
            Finish::Answered,
        ),
        (
            anthropic::read,
            message_of(r#""stop_sequence""#),
            Finish::Answered,
        ),
        (
            anthropic::read,
            message_of(r#""max_tokens""#),
            Finish::Truncated,
        ),
        (
            anthropic::read,
            message_of(r#""model_context_window_exceeded""#),
            Finish::Truncated,
        ),
        (anthropic::read, message_of(r#""refusal""#), Finish::Refused),
        (
            anthropic::read,
            message_of(r#""pause_turn""#),
            Finish::Paused,
        ),
        (gemini::read, gemini_of(r#""STOP""#), Finish::Answered),
        (
            gemini::read,
            gemini_of(r#""MAX_TOKENS""#),
            Finish::Truncated,
        ),
        (gemini::read, gemini_of(r#""SAFETY""#), Finish::Refused),
        (
            gemini::read,
            gemini_of(r#""MALFORMED_FUNCTION_CALL""#),
            other("MALFORMED_FUNCTION_CALL"),
        ),
        (
            gemini::read,
            r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#.to_owned(),
            Finish::Refused,
        ),
        (
            gemini::read,
            r#"{"candidates":[{"finishReason":"MAX_TOKENS"}]}"#.to_owned(),
            Finish::Truncated,
        ),
    ];
    for (read, text, finish) in rows {
        assert_eq!(read(&text).unwrap().finish, finish, "{text}");
    }
}

#[test]
fn a_call_that_was_cut_off_is_no_reason_to_run_it() {
    let cut = CHAT.replace(
        r#""finish_reason":"tool_calls""#,
        r#""finish_reason":"length""#,
    );
    let completion = chat::read(&cut).unwrap();
    assert_eq!(
        (completion.finish, completion.parts.len()),
        (Finish::Truncated, 4)
    );
    // some servers say `stop` beside calls
    let stop = CHAT.replace(
        r#""finish_reason":"tool_calls""#,
        r#""finish_reason":"stop""#,
    );
    assert_eq!(chat::read(&stop).unwrap().finish, Finish::Calls);
}

#[test]
fn a_refusal_has_its_text() {
    let chat_text = r#"{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":null,"refusal":"I cannot."}}]}"#;
    let response = r#"{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"I cannot."}]}]}"#;
    for completion in [
        chat::read(chat_text).unwrap(),
        responses::read(response).unwrap(),
    ] {
        assert_eq!(
            completion.parts[0].content,
            Content::Refusal("I cannot.".to_owned())
        );
        assert_eq!(
            (completion.finish, completion.parts.len()),
            (Finish::Refused, 1)
        );
    }
}

#[test]
fn unknown_and_hidden_parts_are_kept() {
    let text = r#"{"content":[{"type":"redacted_thinking","data":"Zm9v"},
        {"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"text","text":""}],"stop_reason":"end_turn"}"#;
    let completion = anthropic::read(text).unwrap();
    let contents: Vec<&Content> = completion.parts.iter().map(|part| &part.content).collect();
    assert_eq!(
        contents,
        [
            &Content::Reasoning(String::new()),
            &Content::Other,
            &Content::Text(String::new())
        ]
    );
    assert!(completion.messages[0].contains(r#""data":"Zm9v""#));

    let items = r#"{"status":"completed","output":[{"type":"web_search_call","id":"w","status":"completed"}]}"#;
    let completion = responses::read(items).unwrap();
    assert_eq!(completion.parts[0].content, Content::Other);
    assert_eq!(
        completion.messages,
        [r#"{"type":"web_search_call","id":"w","status":"completed"}"#]
    );

    let code = r#"{"candidates":[{"content":{"parts":[{"executableCode":{"code":"1"}},{"thoughtSignature":"CtQB=="}]},"finishReason":"STOP"}]}"#;
    let completion = gemini::read(code).unwrap();
    assert_eq!(completion.parts.len(), 2);
    assert!(completion.messages[0].contains("CtQB=="));
}

#[test]
fn an_answer_without_parts_adds_no_message_that_a_provider_refuses() {
    let empty = anthropic::read(r#"{"content":[],"stop_reason":"end_turn"}"#).unwrap();
    assert_eq!((empty.parts.len(), empty.messages.len()), (0, 0));
    let empty =
        gemini::read(r#"{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}"#)
            .unwrap();
    assert_eq!((empty.parts.len(), empty.messages.len()), (0, 0));
}

#[test]
fn empty_texts_do_not_go_back_to_anthropic() {
    let text = r#"{"stop_reason":"tool_use","content":[{"type":"text","text":""},
        {"type":"thinking","thinking":"","signature":"EqQB=="}, {"type":"text","text":" \n"},
        {"type":"tool_use","id":"1","name":"list","input":{"a": 1.50}}]}"#;
    let completion = anthropic::read(text).unwrap();
    assert_eq!(completion.parts.len(), 4);
    assert_eq!(
        completion.messages,
        [concat!(
            r#"{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"EqQB=="},"#,
            r#"{"type":"tool_use","id":"1","name":"list","input":{"a": 1.50}}]}"#
        )]
    );
    for content in [
        r#"[{"type":"text","text":""}]"#,
        r#""""#,
        // nor may a message end with reasoning
        r#"[{"type":"thinking","thinking":"Hm.","signature":"EqQB=="},{"type":"text","text":""}]"#,
        r#"[{"type":"redacted_thinking","data":"Zm9v"}]"#,
    ] {
        let empty = anthropic::read(&format!(r#"{{"content":{content}}}"#)).unwrap();
        assert!(!empty.parts.is_empty(), "{content}");
        assert!(empty.messages.is_empty(), "{content}");
    }
}

#[test]
fn an_error_without_a_message_has_a_text() {
    let failed = ToolCall::new("list", "{}").with_id("1").result(Err(" "));
    let text = "the tool failed without a message";
    let marked = json!({ "error": text });
    let results = [failed];
    let block = &json_of(anthropic::results(&results))[0]["content"][0];
    assert_eq!(
        (&block["content"], &block["is_error"]),
        (&json!(text), &json!(true))
    );
    assert_eq!(
        json_of(chat::results(&results))[0]["content"],
        marked.to_string()
    );
    assert_eq!(
        json_of(responses::results(&results))[0]["output"],
        marked.to_string()
    );
    assert_eq!(
        json_of(gemini::results(&results))[0]["parts"][0]["functionResponse"]["response"],
        marked
    );
}

/// As Mistral writes it.
#[test]
fn an_item_of_thinking_is_reasoning() {
    let thinking = r#"{"type":"thinking","thinking":[{"type":"text","text":"H"},{"type":"text","text":"m."}]}"#;
    let message =
        format!(r#"{{"role":"assistant","content":[{thinking},{{"type":"text","text":"So."}}]}}"#);
    let completion = chat::read(&message).unwrap();
    assert_eq!(
        completion.parts[0].content,
        Content::Reasoning("Hm.".to_owned())
    );
    assert_eq!(completion.parts[0].json, thinking);
    assert_eq!(
        (completion.text(), completion.messages),
        ("So.".to_owned(), vec![message])
    );
    let alone = format!(r#"{{"role":"assistant","content":[{thinking}]}}"#);
    assert!(chat::read(&alone).unwrap().messages.is_empty());
    for (thinking, text) in [(r#""Hm.""#, "Hm."), ("null", ""), ("[1]", "")] {
        let message = format!(
            r#"{{"role":"assistant","content":[{{"type":"thinking","thinking":{thinking}}}]}}"#
        );
        let parts = chat::read(&message).unwrap().parts;
        assert_eq!(parts[0].content, Content::Reasoning(text.to_owned()));
    }
}

#[test]
fn a_chat_message_that_says_nothing_does_not_go_back() {
    for message in [
        r#"{"role":"assistant","content":null}"#,
        r#"{"role":"assistant","content":""}"#,
        r#"{"role":"assistant","content":[]}"#,
        r#"{"role":"assistant","content":null,"tool_calls":[],"refusal":null}"#,
        // without content and calls it is refused
        r#"{"role":"assistant","content":null,"reasoning_content":"Hm."}"#,
    ] {
        let whole = format!(r#"{{"choices":[{{"finish_reason":"length","message":{message}}}]}}"#);
        for text in [message, &whole] {
            assert!(chat::read(text).unwrap().messages.is_empty(), "{text}");
        }
    }
    let refusal = r#"{"role":"assistant","content":null,"refusal":"I cannot."}"#;
    assert_eq!(chat::read(refusal).unwrap().messages, [refusal]);
}

#[test]
fn a_completion_that_ends_before_its_first_word_may_have_no_message() {
    let filtered = r#"{"choices":[{"finish_reason":"content_filter: SAFETY","message":null}]}"#;
    let length = r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}"#;
    let rows: [(Read, &str, Finish); 5] = [
        (
            chat::read,
            r#"{"choices":[{"finish_reason":"length"}]}"#,
            Finish::Truncated,
        ),
        (chat::read, filtered, Finish::Refused),
        (responses::read, length, Finish::Truncated),
        (
            anthropic::read,
            r#"{"stop_reason":"refusal"}"#,
            Finish::Refused,
        ),
        (
            gemini::read,
            r#"{"candidates":[{"finishReason":"MAX_TOKENS"}]}"#,
            Finish::Truncated,
        ),
    ];
    for (read, text, finish) in rows {
        let completion = read(text).unwrap();
        assert!(completion.parts.is_empty() && completion.messages.is_empty());
        assert_eq!(completion.finish, finish, "{text}");
    }
}

#[test]
fn a_chat_message_has_its_role() {
    for (message, sent) in [
        (
            r#"{ "content": "a" }"#,
            r#"{"role":"assistant", "content": "a" }"#,
        ),
        (
            r#"{"content":"a","role" : null}"#,
            r#"{"content":"a","role" : "assistant"}"#,
        ),
    ] {
        let text = format!(r#"{{"choices":[{{"finish_reason":"stop","message":{message}}}]}}"#);
        assert_eq!(chat::read(&text).unwrap().messages, [sent]);
    }
}

#[test]
fn a_chat_call_without_an_id_is_given_one() {
    let text = r#"{"content":null,"tool_calls":[
        {"function":{"name":"a","arguments":"{\"n\": 1.50}"}}, {"id":"call_2","function":{"name":"b"}},
        {"id":"","function":{"name":"c"}},{"function":{"name":"d"},"id": null}]}"#;
    let completion = chat::read(text).unwrap();
    let ids = completion.calls().map(|call| call.id.clone().unwrap());
    let ids: Vec<String> = ids.collect();
    // not that of another call
    assert_eq!(ids, ["call_0", "call_2", "call_2_", "call_3"]);
    assert_eq!(
        completion.messages,
        [r#"{"role":"assistant","content":null,"tool_calls":[
        {"id":"call_0","function":{"name":"a","arguments":"{\"n\": 1.50}"}}, {"id":"call_2","function":{"name":"b"}},
        {"id":"call_2_","function":{"name":"c"}},{"function":{"name":"d"},"id": "call_3"}]}"#]
    );
    let results = completion
        .calls()
        .map(|call| call.result(Ok::<_, String>("1".to_owned())));
    let results: Vec<ToolResult> = results.collect();
    let answered = json_of(chat::results(&results));
    let answered = answered.as_array().unwrap().iter();
    let answered: Vec<&Value> = answered.map(|message| &message["tool_call_id"]).collect();
    assert_eq!(answered, ["call_0", "call_2", "call_2_", "call_3"]);
}

/// A completion with a call or with text in every format, and with a reason to stop or with none.
fn stopped(format: &str, reason: &str, has_call: bool) -> Completion {
    let parts = match (format, has_call) {
        ("chat", true) => r#""content":null,"tool_calls":[{"id":"1","function":{"name":"a"}}]"#,
        ("chat", false) => r#""content":"b""#,
        ("responses", true) => r#"{"type":"function_call","call_id":"1","name":"a"}"#,
        ("responses", false) => {
            r#"{"type":"message","content":[{"type":"output_text","text":"b"}]}"#
        }
        ("anthropic", true) => r#"{"type":"tool_use","id":"1","name":"a","input":{}}"#,
        ("anthropic", false) => r#"{"type":"text","text":"b"}"#,
        ("gemini", true) => r#"{"functionCall":{"name":"a"}}"#,
        _ => r#"{"text":"b"}"#,
    };
    let with = |key: &str| match reason {
        "" => String::new(),
        "null" => format!(r#""{key}":null,"#),
        reason => format!(r#""{key}":"{reason}","#),
    };
    let (read, text): (Read, String) = match format {
        "chat" => {
            let reason = with("finish_reason");
            let text = format!(r#"{{"choices":[{{{reason}"message":{{{parts}}}}}]}}"#);
            (chat::read, text)
        }
        "responses" => {
            let reason = with("status");
            (
                responses::read,
                format!(r#"{{{reason}"output":[{parts}]}}"#),
            )
        }
        "anthropic" => {
            let reason = with("stop_reason");
            (
                anthropic::read,
                format!(r#"{{{reason}"content":[{parts}]}}"#),
            )
        }
        _ => {
            let reason = with("finishReason");
            let text = format!(r#"{{"candidates":[{{{reason}"content":{{"parts":[{parts}]}}}}]}}"#);
            (gemini::read, text)
        }
    };
    read(&text).unwrap()
}

#[test]
fn a_model_waits_for_results_if_there_are_calls() {
    for (format, reasons) in [
        ("chat", ["stop", "tool_calls", "function_call"]),
        ("responses", ["completed", "", ""]),
        ("anthropic", ["end_turn", "stop_sequence", "tool_use"]),
        ("gemini", ["STOP", "", ""]),
    ] {
        for reason in reasons.into_iter().chain(["", "null"]) {
            let with_call = stopped(format, reason, true);
            assert_eq!(with_call.finish, Finish::Calls, "{format} {reason}");
            assert_eq!(with_call.messages.len(), 1, "{format} {reason}");
            let without = stopped(format, reason, false);
            assert_ne!(without.finish, Finish::Calls, "{format} {reason}");
        }
    }
    for (format, reason) in [
        ("chat", "tool_calls"),
        ("chat", "function_call"),
        ("anthropic", "tool_use"),
    ] {
        let without = stopped(format, reason, false);
        assert_eq!(without.finish, Finish::Other(reason.to_owned()));
    }
    // no agent has a tool with a grammar of its own
    let custom = r#"{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":null,
        "tool_calls":[{"id":"1","type":"custom","custom":{"name":"a","input":"b"}}]}}]}"#;
    let custom = chat::read(custom).unwrap();
    assert_eq!(custom.finish, Finish::Other("tool_calls".to_owned()));
    // such a call may be malformed or cut off
    for (format, reason) in [
        ("chat", "length"),
        ("chat", "content_filter"),
        ("anthropic", "max_tokens"),
        ("gemini", "MALFORMED_FUNCTION_CALL"),
    ] {
        assert_ne!(stopped(format, reason, true).finish, Finish::Calls);
    }
}

#[test]
fn gemini_is_sent_outputs_as_they_were_written() {
    let sent = |output: &str| {
        let call = ToolCall::new("a\"b", "{}").with_id("1");
        let result = call.result(Ok::<_, String>(output.to_owned()));
        gemini::results(&[result.clone(), result])
    };
    let output = r#"{"big":340282366920938463463374607431768211455,"n": 1.50,"n":1e2}"#;
    let part = format!(
        r#"{{"functionResponse":{{"id":"1","name":"a\"b","response":{{"output":{output}}}}}}}"#
    );
    let message = format!(r#"{{"role":"user","parts":[{part},{part}]}}"#);
    assert_eq!(sent(&format!(" {output}\n")), [message]);
    // no JSON, or none that a reader takes
    for output in ["", "{", "1 2", "1e999", r#""\ud800""#] {
        let message = &json_of(sent(output))[0];
        let response = &message["parts"][1]["functionResponse"]["response"];
        assert_eq!(response, &json!({ "output": output }));
    }
}

#[test]
fn a_mistake_has_its_path() {
    let rows: &[(Read, &str, &str)] = &[
        (
            chat::read,
            "{",
            "not JSON: EOF while parsing an object at line 1 column 1",
        ),
        (
            chat::read,
            "[]",
            "expected a completion, found an empty list",
        ),
        (
            chat::read,
            "{}",
            "`choices`: expected a list, found nothing",
        ),
        (
            chat::read,
            r#"{"choices":[]}"#,
            "`choices`: expected a list with a choice, found an empty list",
        ),
        (
            chat::read,
            r#"{"choices":[{}]}"#,
            "`choices[0].message`: expected a message, found nothing",
        ),
        (
            chat::read,
            r#"{"choices":[{"message":{"content":7}}]}"#,
            "`choices[0].message.content`: expected a string of Unicode text, found a number",
        ),
        (
            chat::read,
            r#"{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":null}}]}}]}"#,
            "`choices[0].message.tool_calls[0].function.name`: expected a string of Unicode text, found null",
        ),
        (
            chat::read,
            r#"{"choices":[{"message":{"tool_calls":{}}}]}"#,
            "`choices[0].message.tool_calls`: expected a list, found an object",
        ),
        (
            responses::read,
            r#"{"output":[{"type":"function_call","name":"a","arguments":"{}"}]}"#,
            "`output[0].call_id`: expected a string of Unicode text, found nothing",
        ),
        (
            anthropic::read,
            r#"{"content":[{"type":"text","text":"a"},{"type":"tool_use","id":"1"}]}"#,
            "`content[1].name`: expected a string of Unicode text, found nothing",
        ),
        (
            anthropic::read,
            r#"{"content":null}"#,
            "`content`: expected a list of blocks, found null",
        ),
        (
            gemini::read,
            r#"{"candidates":[{"content":{"parts":[{"functionCall":"a"}]}}]}"#,
            "`candidates[0].content.parts[0].functionCall`: expected an object, found a string",
        ),
        (
            gemini::read,
            r#"{"candidates":[{"content":{"parts":[7]}}]}"#,
            "`candidates[0].content.parts[0]`: expected an object, found a number",
        ),
        (
            chat::read,
            r#"{"error":{"message":"You exceeded your quota.","code":"insufficient_quota"}}"#,
            "the provider answered with an error: You exceeded your quota.",
        ),
        (
            anthropic::read,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            "the provider answered with an error: Overloaded",
        ),
        (
            gemini::read,
            r#"{"error":"no"}"#,
            "the provider answered with an error: no",
        ),
    ];
    for (read, text, expected) in rows {
        assert_eq!(refused(*read, text), *expected, "{text}");
    }
}

#[test]
fn arguments_of_other_servers_are_read() {
    let with = |arguments: &str| {
        let text = format!(
            r#"{{"role":"assistant","tool_calls":[{{"id":"1","function":{{"name":"a"{arguments}}}}}]}}"#
        );
        chat::read(&text)
            .unwrap()
            .calls()
            .next()
            .unwrap()
            .arguments
            .clone()
    };
    assert_eq!(with(""), "{}");
    assert_eq!(with(r#","arguments":null"#), "{}");
    assert_eq!(with(r#","arguments":" ""#), "{}");
    assert_eq!(with(r#","arguments":{"b": [1]}"#), r#"{"b": [1]}"#);
    assert_eq!(
        with(r#","arguments":"{\"b\": \"\\u00e9\"}""#),
        r#"{"b": "\u00e9"}"#
    );
}

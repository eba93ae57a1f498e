//! Runs the program `tool_calls` in this process.

use crate::oracle::oracle;
use crate::programs::tool_calls::{Failure, Verdict, run};
use serde_json::{Value, json};
use skill_agent::Agent;
use skill_examples::replay::{Report, reference, scenarios};
use std::ffi::OsString;

fn program(arguments: &[&str], mut input: &[u8]) -> (Result<Verdict, Failure>, String) {
    let mut output = Vec::new();
    let arguments = arguments.iter().map(OsString::from);
    let result = run(arguments, &mut input, &mut output);
    (result, String::from_utf8(output).unwrap())
}

fn documents(output: &str) -> Vec<Value> {
    let stream = serde_json::Deserializer::from_str(output).into_iter();
    stream.collect::<Result<_, _>>().unwrap()
}

fn failure(arguments: &[&str], input: &str) -> String {
    program(arguments, input.as_bytes())
        .0
        .unwrap_err()
        .to_string()
}

#[test]
fn the_shipped_completions_run_without_an_argument() {
    let (result, output) = program(&[], b"");
    assert_eq!(result.unwrap(), Verdict::Done);
    let [open_ai, anthropic] = &documents(&output)[..] else {
        panic!("{output}");
    };

    let contents: Vec<&str> = open_ai
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(contents.len(), 11);
    assert_eq!(
        contents[4],
        r#"{"sorted_content":"east 100\nnorth 120\nsouth 80"}"#
    );
    assert_eq!(contents[5], r#"{"result":100.0}"#);
    assert_eq!(
        contents[6],
        r#"{"error":"cat: 'autumn.txt': No such file or directory"}"#
    );
    assert!(contents[7].contains("average"), "{}", contents[7]);
    assert!(contents[8].contains("lines"), "{}", contents[8]);
    assert!(contents[9].contains("error"), "{}", contents[9]);
    assert_eq!(
        contents[10],
        r#"{"current_working_directory":"/workspace/reports"}"#
    );

    let blocks = anthropic[0]["content"].as_array().unwrap();
    let failed: Vec<&str> = blocks
        .iter()
        .filter(|block| block["is_error"] == true)
        .map(|block| block["tool_use_id"].as_str().unwrap())
        .collect();
    assert_eq!(blocks.len(), 9);
    assert_eq!(failed, ["toolu_03", "toolu_04", "toolu_08", "toolu_09"]);
}

#[test]
fn the_printed_state_can_be_loaded_again() {
    let completion = include_str!("../../completions/openai.json");
    let (result, output) = program(&["--state", "-"], completion.as_bytes());
    result.unwrap();
    let state = &documents(&output)[1];
    assert_eq!(state["math"]["last_result"], 100.0);
    assert_eq!(state["file_system"]["cwd"][0], "reports");

    let path = std::env::temp_dir().join(format!("tool_calls_{}.json", std::process::id()));
    std::fs::write(&path, state.to_string()).unwrap();
    let pwd = br#"{"tool_calls":[{"id":"1","function":{"name":"pwd","arguments":"{}"}}]}"#;
    let (result, output) = program(&["--load", path.to_str().unwrap(), "--state", "-"], pwd);
    std::fs::remove_file(&path).unwrap();
    result.unwrap();
    assert_eq!(&documents(&output)[1], state);
}

#[test]
fn a_usage_or_input_error_gives_one_message() {
    assert!(failure(&["--stat"], "").contains("unknown option `--stat`"));
    assert!(failure(&["--replay"], "").contains("`--replay` needs a file"));
    assert!(failure(&["--replay", "a", "--state"], "").contains("goes with nothing else"));
    assert!(failure(&["a", "b"], "").contains("unexpected argument `b`"));
    assert!(failure(&["--load", "-", "-"], "").contains("twice"));
    assert!(failure(&["missing.json"], "").contains("cannot read missing.json"));
    assert!(failure(&["-"], "{").contains("standard input: not JSON"));
    assert!(failure(&["-"], r#"{"content":[]}"#).contains("no tool calls"));
    assert!(failure(&["--replay", "-"], "{}").contains("not a list of scenarios"));
    assert!(failure(&["--replay", "-"], "[]").contains("no scenarios"));
    assert!(failure(&["--load", "-"], r#"{"nonsense":1}"#).contains("nonsense"));
    assert!(program(&["--help"], b"").1.contains("--replay SCENARIOS"));
}

#[test]
fn a_replay_names_the_path_of_each_difference() {
    let recorded = r#"[{
        "id": "drawer",
        "initial_config": {"GorillaFileSystem": {"root": {"desk": {"type": "directory", "contents": {
            "note.txt": {"type": "file", "content": "Buy milk."}}}}}},
        "turns": [[
            {"skill": "GorillaFileSystem", "action": "cat", "arguments": {"file_name": "note.txt"},
             "result": {"file_content": "Buy bread."}},
            {"skill": "GorillaFileSystem", "action": "pwd", "arguments": {},
             "result": {"current_working_directory": "/desk"}}]],
        "state_after": {"GorillaFileSystem": {
            "root": {"type": "directory", "contents": {}},
            "cwd": {"current_working_directory": "/desk"}}}
    }]"#;
    let (result, output) = program(&["--replay", "-"], recorded.as_bytes());
    assert_eq!(result.unwrap(), Verdict::Different);
    for line in [
        "drawer        1      1/2     0/1  DIFFERENT",
        r#"  turns[0][0] cat: result.file_content: expected "Buy bread.", found "Buy milk.""#,
        r#"  state_after.GorillaFileSystem.root.contents["note.txt"]: expected nothing, found"#,
        "equal: 0/1 scenarios, 1/2 answers, 0/1 final states",
    ] {
        assert!(output.contains(line), "{line}\n\nis not in\n\n{output}");
    }
}

#[test]
fn a_known_fault_of_the_reference_is_not_a_difference() {
    let recorded = r#"[{
        "id": "shared",
        "initial_config": {"TwitterAPI": {"authenticated": true}},
        "turns": [[
            {"skill": "TwitterAPI", "action": "post_tweet", "arguments": {"content": "Hi"},
             "result": {"id": 0, "username": "john", "content": "Hi", "tags": [], "mentions": ["@eve"]}},
            {"skill": "TwitterAPI", "action": "get_tweet", "arguments": {"tweet_id": "0"},
             "result": {"error": "Tweet with ID 0 not found."}}]]
    }]"#;
    let report = Report::of(&scenarios(recorded).unwrap());
    assert!(report.is_equal(), "{report}");
    assert_eq!(report.results[0].deviations.len(), 2, "{report}");
}

#[test]
fn recorded_conversations_give_the_recorded_answers_and_states() {
    let Some(recorded) = oracle("bfcl/replay") else {
        return;
    };
    let report = Report::of(&scenarios(&recorded.to_string()).unwrap());
    assert!(report.is_equal(), "{report}");
}

/// States of the benchmark that are less regular than the recorded scenarios.
fn irregular_states() -> [(&'static str, Value); 6] {
    let inbox = |inbox: Value| json!({ "current_user": "USR001", "inbox": inbox });
    let queue = |ticket: Value| json!({ "ticket_queue": [ticket], "current_user": "ann" });
    [
        (
            "MessageAPI",
            inbox(json!([{ "USR002": ["Meeting at 3 PM", "Or 4"] }, { "USR003": {} }])),
        ),
        (
            "MessageAPI",
            inbox(json!([{ "USR001": ["Hello"], "USR003": ["I am busy"], "USR004": "Later" }])),
        ),
        (
            "TicketAPI",
            queue(json!({ "id": "ticket_001", "issue": "Too many" })),
        ),
        (
            "TicketAPI",
            queue(json!({ "ticket_001": { "priority": 5, "subject": "Flight" } })),
        ),
        (
            "TwitterAPI",
            json!({ "comments": { "1": [{ "user": "jane", "comment": "Safe travels!" }] } }),
        ),
        (
            "TwitterAPI",
            json!({ "tweets": { "4": { "id": 4, "username": "ann", "content": "Hi", "tags": [] } } }),
        ),
    ]
}

/// Each scenario without calls, with the irregular state, which must come back as it is.
#[test]
fn irregular_states_start_and_come_back_unchanged() {
    for (skill, state) in irregular_states() {
        let scenario = json!([{
            "id": skill, "turns": [], "initial_config": { skill: state },
        }]);
        let mut scenario = scenarios(&scenario.to_string()).unwrap().remove(0);
        scenario.state_after = complete(skill, &state);
        let report = Report::of(&[scenario]);
        assert!(report.is_equal() && report.results[0].started, "{report}");
        assert_eq!(report.results[0].states.total, 1);
    }
}

/// Adds the defaults of a skill to a state in the reference's format.
fn complete(skill: &str, state: &Value) -> serde_json::Map<String, Value> {
    let agent = skill_examples::Workbench::new();
    let mut whole = reference::state(skill, &agent).unwrap();
    let whole_fields = whole.as_object_mut().unwrap();
    whole_fields.extend(state.as_object().unwrap().clone());
    serde_json::Map::from_iter([(skill.to_owned(), whole)])
}

#[test]
fn actions_read_irregular_states() {
    let start = |skill: &str, index: usize| {
        let (name, state) = &irregular_states()[index];
        assert_eq!(*name, skill);
        let state = serde_json::Map::from_iter([(skill.to_owned(), state.clone())]);
        reference::workbench(&state).unwrap()
    };
    let called = |agent: &mut skill_examples::Workbench, action: &str, arguments: &str| {
        let called = agent.call_json(action, arguments);
        called.map_or_else(|error| error.to_string(), |called| called.output)
    };

    let mut messages = start("MessageAPI", 0);
    assert_eq!(
        called(&mut messages, "view_messages_sent", "{}"),
        r#"{"messages":{"USR002":[["Meeting at 3 PM","Or 4"]],"USR003":[{}]}}"#
    );
    assert_eq!(
        called(&mut messages, "search_messages", r#"{"keyword":"OR"}"#),
        r#"{"results":[{"receiver_id":"USR002","message":["Meeting at 3 PM","Or 4"]}]}"#
    );

    let mut tickets = start("TicketAPI", 2);
    assert_eq!(
        called(&mut tickets, "get_ticket", r#"{"ticket_id":1}"#),
        "Ticket with ID 1 not found."
    );

    let mut tweets = start("TwitterAPI", 5);
    let mention = r#"{"tweet_id":4,"mentioned_usernames":["@eve"]}"#;
    called(&mut tweets, "mention", mention);
    assert_eq!(
        called(&mut tweets, "get_tweet", r#"{"tweet_id":4}"#),
        r#"{"id":4,"username":"ann","content":"Hi","tags":[],"mentions":["@eve"]}"#
    );
}

#[test]
fn a_scenario_that_does_not_start_is_counted_as_different() {
    let recorded = r#"[{
        "id": "works", "initial_config": {"MathAPI": {}}, "state_after": {"MathAPI": {}},
        "turns": [[{"skill": "MathAPI", "action": "add", "arguments": {"a": 1, "b": 2}, "result": {"result": 3}}]]
    }, {
        "id": "wrong", "initial_config": {"TicketAPI": {"ticket_counter": "one"}}, "state_after": {"TicketAPI": {}},
        "turns": [[{"skill": "TicketAPI", "action": "logout", "result": {"success": false}},
                   {"skill": "TicketAPI", "action": "logout", "result": {"success": false}}]]
    }]"#;
    let (result, output) = program(&["--replay", "-"], recorded.as_bytes());
    assert_eq!(result.unwrap(), Verdict::Different);
    for line in [
        "wrong         1      0/2     0/1  DID NOT START",
        "  initial_config: expected a valid state, found",
        "equal: 1/2 scenarios, 1/3 answers, 1/2 final states; 1 of 2 scenarios did not start",
    ] {
        assert!(output.contains(line), "{line}\n\nis not in\n\n{output}");
    }
}

/// The recorded scenarios, with irregular states of the skills that they do not call.
#[test]
fn recorded_conversations_are_the_same_beside_irregular_states() {
    let Some(recorded) = oracle("bfcl/replay") else {
        return;
    };
    let recorded = scenarios(&recorded.to_string()).unwrap();
    let mut copies = Vec::new();
    for scenario in &recorded {
        for (skill, state) in irregular_states() {
            let mut copy = scenario.clone();
            if copy.initial_config.contains_key(skill) || copy.state_after.contains_key(skill) {
                continue;
            }
            copy.state_after.extend(complete(skill, &state));
            copy.initial_config.insert(skill.to_owned(), state);
            copies.push(copy);
        }
    }
    assert!(copies.len() > recorded.len());
    let report = Report::of(&copies);
    assert!(report.is_equal(), "{report}");
    assert!(report.results.iter().all(|result| result.started));
    println!("{report}");
}

/// The recorded scenarios, with irregular entries among those that their calls work on.
#[test]
fn recorded_conversations_are_the_same_among_irregular_entries() {
    let Some(recorded) = oracle("bfcl/replay") else {
        return;
    };
    let mut copies = Vec::new();
    for scenario in scenarios(&recorded.to_string()).unwrap() {
        for (skill, field, entries) in [
            ("MessageAPI", "inbox", json!([{ "USR009": ["Hi", "Bye"] }])),
            (
                "TicketAPI",
                "ticket_queue",
                json!([{ "id": "one" }, { "issue": "Many" }]),
            ),
            (
                "TwitterAPI",
                "comments",
                json!({ "77": [{ "comment": "Safe travels!" }] }),
            ),
        ] {
            let mut copy = scenario.clone();
            let before = copy.initial_config.get_mut(skill);
            let after = copy.state_after.get_mut(skill);
            if let (Some(before), Some(after)) = (before, after) {
                *before = complete(skill, before)[skill].clone();
                for state in [before, after] {
                    put_first(&mut state[field], &entries);
                }
                copies.push(copy);
            }
        }
    }
    assert!(copies.len() >= 10, "{}", copies.len());
    let report = Report::of(&copies);
    assert!(report.is_equal(), "{report}");
    assert!(report.results.iter().all(|result| result.started));
    println!("{report}");
}

/// Adds entries to a list or an object, before what is there.
fn put_first(state: &mut Value, entries: &Value) {
    match (&mut *state, entries.clone()) {
        (Value::Array(list), Value::Array(entries)) => drop(list.splice(0..0, entries)),
        (Value::Object(map), Value::Object(entries)) => map.extend(entries),
        (state, entries) => *state = entries,
    }
}

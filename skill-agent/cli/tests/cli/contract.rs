//! `skills contract`.

use crate::support::Folder;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn contract(version: &str, properties: Value, description: &str) -> String {
    json!({
        "contract_format": 1,
        "agent": { "name": "math_agent", "version": version },
        "skills": {},
        "mountable": {},
        "tools": { "add": {
            "description": description,
            "hints": [],
            "arguments": { "type": "object", "properties": properties, "additionalProperties": false },
        } },
        "state": { "type": "object", "properties": {}, "additionalProperties": false },
        "routes": {},
    })
    .to_string()
}

fn number() -> Value {
    json!({ "a": { "type": "number" } })
}

fn folder(new: &str) -> Folder {
    let old = contract("0.3.1", number(), "Adds.");
    Folder::of(&[("old.json", &old), ("new.json", new)])
}

#[test]
fn no_changes_are_a_success() {
    let run =
        folder(&contract("0.3.1", number(), "Adds.")).run(&["contract", "old.json", "new.json"]);
    assert_eq!(
        (run.code, run.out.as_str(), run.err.as_str()),
        (0, "no changes\n", "")
    );
}

#[test]
fn additive_changes_and_texts_are_a_success() {
    let properties = json!({ "a": { "type": "number" }, "b": { "type": "number" } });
    let run = folder(&contract("0.3.1", properties, "Adds numbers."))
        .run(&["contract", "old.json", "new.json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let expected = "additive:\n  tools.add.arguments.b: new\n\
        text only (the list of tools has about 42 tokens, before 35):\n  tools.add.description: changed\n";
    assert_eq!(run.out, expected);
}

#[test]
fn a_breaking_change_fails_and_names_the_version_to_write() {
    let properties = json!({ "a": { "type": "integer" } });
    let run =
        folder(&contract("0.3.2", properties, "Adds.")).run(&["contract", "old.json", "new.json"]);
    assert_eq!(run.code, 1);
    let expected = "breaking:\n  tools.add.arguments.a: was `number`, is `integer`\n\
        additive:\n  agent.version: was `0.3.1`, is `0.3.2`\n";
    assert_eq!(run.out, expected);
    let expected = "error: a change is breaking, and no version accounts for it\n";
    assert!(run.err.starts_with(expected), "{}", run.err);
    let help = "write `version = \"0.4.0\"` for the agent `math_agent`, after `0.3.1`, or undo the breaking changes";
    assert!(run.err.contains(help), "{}", run.err);
}

#[test]
fn a_breaking_change_with_a_raised_version_is_a_success() {
    let new = contract("0.4.0", json!({ "a": { "type": "integer" } }), "Adds.");
    let run = folder(&new).run(&["contract", "old.json", "new.json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(
        run.out.starts_with("breaking, with the version raised:\n"),
        "{}",
        run.out
    );
}

#[test]
fn the_changes_are_one_line_of_json() {
    let new = contract("0.3.1", json!({ "a": { "type": "integer" } }), "Adds.");
    let run = folder(&new).run(&["contract", "--json", "old.json", "new.json"]);
    assert_eq!((run.code, run.out.lines().count()), (1, 1));
    let value: Value = serde_json::from_str(&run.out).unwrap();
    let expected = json!({
        "changes": [{
            "class": "breaking",
            "path": "tools.add.arguments.a",
            "message": "was `number`, is `integer`",
            "version_needed": "`version = \"0.4.0\"` for the agent `math_agent`, after `0.3.1`",
        }],
        "tool_tokens_before": 35,
        "tool_tokens_after": 35,
        "is_breaking": true,
    });
    assert_eq!(value, expected);
}

#[test]
fn a_file_that_cannot_be_compared_is_wrong_usage() {
    let damaged = contract("0.3.1", number(), "Adds.");
    let damaged = &damaged[..damaged.len() / 2];
    let newer = r#"{"contract_format": 2}"#;
    let older = r#"{"contract_format": 0}"#;
    let cases = [
        (damaged, "it is damaged: "),
        (
            "[package]\nname = \"x\"\n",
            "it is not a contract file: it has no `contract_format`",
        ),
        (
            "{\"name\": \"x\"}",
            "it is not a contract file: it has no `contract_format`",
        ),
        (newer, "its format 2 is newer than the format 1"),
        (older, "its format 0 is older than the format 1"),
    ];
    for (text, reason) in cases {
        let run = folder(text).run(&["contract", "old.json", "new.json"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        let message = format!("error: the contract file `new.json` cannot be used: {reason}");
        assert!(run.err.starts_with(&message), "{}", run.err);
    }
    let run = folder(older).run(&["contract", "old.json", "none.json"]);
    assert_eq!(run.code, 2);
    let message = "error: the contract file `none.json` cannot be used: it does not exist\n";
    assert_eq!(run.err, message);
}

#[test]
fn texts_of_a_file_do_not_control_the_terminal() {
    let new = contract("0.3.1", json!({ "a": { "const": "\u{1b}[2J" } }), "Adds.");
    let run = folder(&new).run(&["contract", "old.json", "new.json"]);
    assert!(!run.out.contains('\u{1b}'), "{}", run.out);
}

/// Schemas with many values in the four forms in which serde and schemars write them.
fn many_values(form: &str, count: usize) -> Value {
    let name = |number: usize| format!("value-{number}");
    match form {
        "enum" => json!({ "type": "string", "enum": (0..count).map(name).collect::<Vec<_>>() }),
        "const" => {
            let branch =
                |number| json!({ "type": "string", "const": name(number), "description": "One." });
            json!({ "oneOf": (0..count).map(branch).collect::<Vec<_>>() })
        }
        "numbers" => json!({ "enum": (0..count).collect::<Vec<_>>() }),
        _ => {
            let branch = |number| json!({ "const": name(number) });
            json!({ "anyOf": (0..count).map(branch).collect::<Vec<_>>() })
        }
    }
}

#[test]
fn twenty_thousand_values_are_compared_in_linear_time() {
    for form in ["enum", "const", "numbers", "any"] {
        let [old, new] = [20_000, 20_001]
            .map(|count| contract("0.3.1", json!({ "a": many_values(form, count) }), "Adds."));
        let folder = Folder::of(&[("old.json", &old), ("new.json", &new)]);
        let begin = Instant::now();
        let run = folder.run(&["contract", "old.json", "new.json"]);
        // without optimization and beside other tests; comparing all pairs takes minutes
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{form}: {:?}",
            begin.elapsed()
        );
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{form}: {}", run.out);
        let value = if form == "numbers" {
            "20000"
        } else {
            "value-20000"
        };
        let line = format!("tools.add.arguments.a: now also `{value}`\n");
        assert!(run.out.contains(&line), "{form}: {}", run.out);
    }
}

#[test]
fn the_contracts_of_two_agents_are_not_compared() {
    let other = contract("0.3.1", number(), "Adds.").replace("math_agent", "desk");
    let run =
        folder(&other.replace("\"add\"", "\"sell\"")).run(&["contract", "old.json", "new.json"]);
    assert_eq!((run.code, &*run.out), (2, ""));
    let expected = "error: these are contracts of two agents, `math_agent` and `desk`\n";
    assert!(run.err.starts_with(expected), "{}", run.err);
    let renamed = folder(&other).run(&["contract", "old.json", "new.json"]);
    assert!(renamed.out.contains("agent.name"), "{renamed:?}");
}

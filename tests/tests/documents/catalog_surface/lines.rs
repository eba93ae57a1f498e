//! Properties of commands for arbitrary input.

use crate::catalog_surface::support::{NOTE, lily};
use proptest::prelude::*;
use serde_json::Value;
use skill_agent::manifest::{CommandError, CommandOutcome};

fn lines() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "/",
        "skill",
        "skills",
        "help",
        "reload_skills",
        "note",
        "plan",
        " ",
        " ",
        "'",
        "\"",
        "\\",
        "=",
        "text=",
        "times=",
        "tags=",
        "[",
        "{",
        "1",
        "é",
        "\n",
        "\0",
        "\u{202E}",
        "#",
    ]);
    let parts = prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat());
    prop_oneof![
        any::<String>(),
        parts.clone(),
        parts.prop_map(|rest| format!("/{rest}"))
    ]
}

proptest! {
    #[test]
    fn no_line_and_no_argument_panics(lines in prop::collection::vec(lines(), 1..40)) {
        let (_folder, mut catalog) = lily(&[("note", NOTE), ("plan", "---\ncommand: plan\n---\n# Plan\n")]);
        for line in lines {
            match catalog.command(&line) {
                Err(error) => {
                    let error = error.to_string();
                    prop_assert!(error.starts_with("Error: ") && error.ends_with(['.', '?']), "{}", error);
                    prop_assert!(error.len() < 3_000 && !error.contains(['\n', '\0', '\u{202E}']), "{:?}", error);
                }
                Ok(CommandOutcome::Dispatch { arguments, .. }) => {
                    prop_assert!(serde_json::from_str::<Value>(&arguments).unwrap().is_object());
                }
                Ok(_) => {}
            }
            prop_assert!(catalog.call_skill_tool(&line).starts_with("Error: "));
        }
    }

    #[test]
    fn quoted_words_round_trip(words in prop::collection::vec("[^\\p{Cc}]{0,12}", 0..6)) {
        let (_folder, mut catalog) = lily(&[("plan", "# Plan\n")]);
        let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''"))).collect();
        let CommandOutcome::Activate { args, .. } = catalog.command(&format!("/skill plan {}", quoted.join(" "))).unwrap() else {
            panic!("it goes to the model");
        };
        prop_assert_eq!(args, words);
    }
}

#[test]
fn a_long_line_gets_an_answer() {
    let (_folder, mut catalog) = lily(&[("note", NOTE)]);
    let (long, most) = (1 << 18, 1 << 20);
    for part in [
        "a ", "=", "x=1 ", "text=", "\"", "\\", "é", "'a' ", "tags=[", "[", "\u{200B}",
    ] {
        for start in [
            "/",
            "/note ",
            "/skill ",
            "/skill note ",
            "/note tags='",
            "/help ",
        ] {
            let line = format!("{start}{}", part.repeat(long / part.len()));
            if let Err(error) = catalog.command(&line) {
                assert!(error.to_string().len() < 3_000, "{start}{part}");
            }
        }
    }
    let line = format!("/note {}", "a".repeat(most - 6));
    assert!(matches!(
        catalog.command(&line),
        Ok(CommandOutcome::Dispatch { .. })
    ));
    assert!(matches!(
        catalog.command(&(line + "a")),
        Err(CommandError::TooLong { .. })
    ));
}

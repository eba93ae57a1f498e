//! Mistyped lines: the error says what to write instead.

use crate::catalog_surface::support::{NOTE, agent_skills_catalog, answer, lily};
use skill_agent::manifest::{Catalog, CommandOutcome};

const TAKES: &str = "'take_note' takes: text=<string> [times=<integer>] [tags=<array>] [place=<object>] [loud=<boolean>] \
                     [weight=<number>].";

fn catalog() -> (tempfile::TempDir, Catalog) {
    lily(&[
        ("note", NOTE),
        ("plan", "---\ncommand: plan\n---\n# Plan\n"),
        ("my plan", "# Mine\n"),
        ("teach", "# Teach\n"),
    ])
}

#[test]
fn a_wrong_line_is_reported_with_the_correction() {
    let (_folder, mut catalog) = catalog();
    for (line, reported) in [
        ("/ skills", "Error: unknown command '/'."),
        (
            "//skills",
            "Error: unknown command '//skills'; did you mean '/skills'?",
        ),
        (
            "/Skills",
            "Error: unknown command '/Skills'; did you mean '/skills'?",
        ),
        (
            "/teach me",
            "Error: unknown command '/teach'; to use the skill 'teach', type '/skill teach'.",
        ),
        ("/skills ''", "Error: /skills does not accept arguments."),
        ("/help ''", "Error: skill '' not found in snapshot."),
        (
            "/help /note",
            "Error: skill '/note' not found; did you mean 'note'?",
        ),
        (
            "/skill my plan",
            "Error: skill 'my' not found; did you mean 'my plan'?",
        ),
        (
            "/skill plan a\\",
            "Error: nothing follows the '\\' at character 14; to write it as it is, put '\\' before it.",
        ),
        (
            "/note don't",
            "Error: the quote \"'\" at character 10 is not closed; to write it as it is, put '\\' before it.",
        ),
        (
            "/note a\u{85}b",
            "Error: the control character '\\u{85}' at character 8 is not allowed in a command.",
        ),
    ] {
        assert_eq!(answer(&mut catalog, line), reported, "{line}");
    }
}

#[test]
fn wrong_words_are_reported_with_the_expected_arguments() {
    let (_folder, mut catalog) = catalog();
    for (line, reported) in [
        ("/note", "the property 'text' is missing"),
        ("/note times=2", "the property 'text' is missing"),
        (
            "/note text = x",
            "nothing precedes a '='; write 'property=value' without blanks",
        ),
        (
            "/note text=buy milk",
            "it is not clear which property 'milk' is; write 'property=value', and quotes around a value with blanks",
        ),
        (
            "/note https://a.b/?q=1",
            "there is no property 'https://a.b/?q'; quote a string that contains '='",
        ),
        (
            "/note --times=2 x",
            "there is no property '--times' (did you mean 'times'?)",
        ),
        ("/note text=a text=b", "the property 'text' is given twice"),
        ("/note times= x", "'' for 'times' is not a valid integer"),
        (
            "/note times=\u{ff11} x",
            "'\u{ff11}' for 'times' is not a valid integer",
        ),
        (
            "/note times=2\u{a0}x",
            "'2\\u{a0}x' for 'times' is not a valid integer",
        ),
        (
            "/note loud=yes x",
            "'yes' for 'loud' is not a valid boolean, which is 'true' or 'false'",
        ),
        (
            "/note tags=[\"a\"] x",
            "'[a]' for 'tags' is not a valid array, which is JSON in single quotes",
        ),
        (
            "/note place={\"shelf\":1} x",
            "'{shelf:1}' for 'place' is not a valid object, which is JSON in single quotes",
        ),
    ] {
        let expected = format!("Error: {reported}; {TAKES}");
        assert_eq!(answer(&mut catalog, line), expected, "{line}");
    }
}

#[test]
fn blanks_outside_of_ascii_are_part_of_a_word() {
    let (_folder, mut catalog) = catalog();
    let CommandOutcome::Activate { args, .. } =
        catalog.command("/plan 10\u{a0}km\t\u{3000}a\r\n").unwrap()
    else {
        panic!("it goes to the model");
    };
    assert_eq!(args, ["10\u{a0}km", "\u{3000}a"]);
    let CommandOutcome::Dispatch { arguments, .. } =
        catalog.command("/note 10\u{a0}km  far").unwrap()
    else {
        panic!("it is dispatched");
    };
    assert_eq!(arguments, "{\"text\":\"10\u{a0}km far\"}");
    // text that looks like an existing command is shown so that the difference is visible
    for (line, reported) in [
        (
            "/plan\u{3000}a",
            "Error: unknown command '/plan\\u{3000}a'; did you mean '/plan'?",
        ),
        (
            "/pl\u{200b}an",
            "Error: unknown command '/pl\\u{200b}an'; did you mean '/plan'?",
        ),
        (
            "/skill plan\u{a0}",
            "Error: skill 'plan\\u{a0}' not found; did you mean 'plan'?",
        ),
    ] {
        assert_eq!(answer(&mut catalog, line), reported);
    }
}

#[test]
fn a_line_of_maximum_length_reaches_the_model_whole() {
    let (_folder, mut catalog) =
        agent_skills_catalog(&[("plan", "---\nname: plan\ndescription: d\n---\n# P\n")]);
    let start = "/skill plan ";
    let long = "é".repeat(((1 << 20) - start.len()) / 2);
    let CommandOutcome::Activate { args, .. } = catalog.command(&format!("{start}{long}")).unwrap()
    else {
        panic!("it goes to the model");
    };
    assert_eq!(args, [&*long]);
    assert_eq!(
        answer(&mut catalog, &format!("{start}{long}é")),
        "Error: the line has 1048578 bytes; at most 1048576 are read."
    );
}

//! Checks the name of a new crate and its skill or agent.

use crate::args::CrateKind;
use crate::failure::Failure;
use skill_core::__private::{is_name, is_reserved_state_key};

/// The libraries and packages that the new crate depends on. A skill crate depends on tokio through its tests.
const DEPENDENCIES: [&str; 7] = [
    "schemars",
    "serde",
    "skill_agent",
    "skill_agent_core",
    "skill_agent_macros",
    "skill_core",
    "tokio",
];

/// The folders in cargo's target folder. No program can have one of these names.
const OF_CARGO: [&str; 4] = ["build", "deps", "examples", "incremental"];

/// The libraries of the Rust toolchain.
const OF_THE_TOOLCHAIN: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];

/// Checks that cargo, rustc, Windows and agents accept a name.
///
/// # Errors
/// Returns the first reason why the name is not accepted.
pub(super) fn check(kind: CrateKind, name: &str) -> Result<(), Failure> {
    let Some(why) = fault(kind, name) else {
        return Ok(());
    };
    Err(Failure::NotACrateName {
        kind,
        name: name.to_owned(),
        why,
        help: suggestion(kind, name),
    })
}

fn fault(kind: CrateKind, name: &str) -> Option<&'static str> {
    // the tools of a skill crate begin with its name
    let (longest, too_long) = match kind {
        CrateKind::Skill => (
            50,
            "it has more than 50 characters, and the names of tools, which have at most 64, begin with it",
        ),
        CrateKind::Agent => (64, "it has more than 64 characters"),
    };
    let library = name.replace('-', "_");
    let is_one_of = |names: &[&str]| names.contains(&&*library);
    Some(if name.is_empty() {
        "it is empty"
    } else if !name.is_ascii() {
        "it has a character that is not ASCII"
    } else if name.starts_with(|c: char| c.is_ascii_digit()) {
        "it begins with a digit"
    } else if !is_name(name) && name.len() <= longest {
        "a name has `a-z`, `0-9`, `_` and `-` only, and begins with a letter"
    } else if name.len() > longest {
        too_long
    } else if library.ends_with('_') || library.contains("__") {
        "one `-` or `_` separates two words"
    } else if is_reserved_state_key(&library) || library == "gen" {
        "it is a word that Rust or this library reserves"
    } else if is_one_of(&OF_THE_TOOLCHAIN) {
        "it is a library of the Rust toolchain"
    } else if is_one_of(&DEPENDENCIES) {
        "it is a crate that the new one depends on"
    } else if kind == CrateKind::Agent && is_one_of(&OF_CARGO) {
        "it is a folder of cargo's builds"
    } else if is_of_windows(name) {
        "it is a name that Windows reserves"
    } else {
        return None;
    })
}

/// Returns whether Windows reserves the name, so that no file can have it.
fn is_of_windows(name: &str) -> bool {
    let device = name.strip_prefix("com").or(name.strip_prefix("lpt"));
    matches!(name, "con" | "prn" | "aux" | "nul")
        || device.is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']))
}

/// Returns a valid name that is similar.
fn suggestion(kind: CrateKind, name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let joined = words.join("-");
    let candidates = [
        joined.clone(),
        format!("{joined}-{kind}"),
        format!("{kind}-{joined}"),
    ];
    let mut candidates = candidates.into_iter();
    candidates.find(|name| fault(kind, name).is_none())
}

#[cfg(test)]
mod tests {
    use super::fault;
    use crate::args::CrateKind;

    #[test]
    fn keywords_and_reserved_words_are_refused() {
        let words = "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if \
            impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try type typeof \
            unsafe unsized use virtual where while yield test core std alloc proc-macro proc_macro con prn aux nul com1 lpt9 skills \
            serde schemars skill-agent skill_agent skill-agent-core skill-core tokio";
        for word in words.split_whitespace() {
            assert!(fault(CrateKind::Skill, word).is_some(), "{word}");
            assert!(fault(CrateKind::Agent, word).is_some(), "{word}");
        }
        for word in ["build", "deps", "examples", "incremental"] {
            assert_eq!(fault(CrateKind::Skill, word), None, "{word}");
            assert!(fault(CrateKind::Agent, word).is_some(), "{word}");
        }
        for name in [
            "weather",
            "a",
            "com10",
            "nulls",
            "web-search",
            "r2d2",
            "union",
            "tests",
            "serde-json",
        ] {
            assert_eq!(fault(CrateKind::Skill, name), None, "{name}");
            assert_eq!(fault(CrateKind::Agent, name), None, "{name}");
        }
    }
}

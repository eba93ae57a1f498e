//! The messages for mistakes: `<topic>/<mistake>.rs` has a mistake, and `<mistake>.stderr` the output of rustc.
//!
//! `TRYBUILD=overwrite cargo test -p skill-ui-tests` updates the outputs. Read each one that changed, as a user who made
//! the mistake would read it, before you commit it.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler of the expected outputs.
const PINNED: &str = env!("CARGO_PKG_RUST_VERSION");

#[test]
fn every_mistake_has_the_expected_messages() {
    assert_toolchain();
    let cases = trybuild::TestCases::new();
    cases.compile_fail("*/*.rs");
}

#[test]
fn every_case_has_an_output_and_every_output_a_case() {
    let cases = with_extension("rs");
    let outputs = with_extension("stderr");
    let missing: Vec<_> = cases.difference(&outputs).collect();
    let orphans: Vec<_> = outputs.difference(&cases).collect();
    assert!(missing.is_empty(), "no `.stderr` for: {missing:#?}");
    assert!(orphans.is_empty(), "no `.rs` for: {orphans:#?}");
}

#[test]
fn every_case_begins_with_a_sentence_about_its_mistake() {
    for (case, code) in read_all("rs") {
        let first = code.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("// ") && first.ends_with(['.', ':']),
            "{case}: begin with a `//` sentence that describes the mistake"
        );
    }
}

/// The topics whose cases say in their second line whether the text is ours: `// Text of ours.`, or
/// ``// Text of rustc, `E0502`: docs/chat.md has the cure.``
const MARKED: [&str; 5] = ["chat", "mcp", "toolbox", "served", "selection"];

#[test]
fn a_text_of_rustc_has_its_cure_in_a_guide() {
    for (case, code) in read_all("rs") {
        let is_marked = MARKED.iter().any(|topic| case.starts_with(topic));
        let Some(rustc) = text_of_rustc(&code) else {
            let is_ours = code.lines().nth(1) == Some("// Text of ours.");
            assert!(is_ours || !is_marked, "{case}: say whose text it is");
            continue;
        };
        let (words, guide) = rustc;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = |path: PathBuf| fs::read_to_string(path).expect("the file can be read");
        let output = read(folder.join(format!("{case}.stderr")));
        assert!(output.contains(words), "{case}: its text has no `{words}`");
        let guide = read(folder.join("../..").join(guide));
        assert!(guide.contains(words), "{case}: the guide has no `{words}`");
    }
}

/// The words of rustc, and the guide that has the cure.
fn text_of_rustc(code: &str) -> Option<(&str, &str)> {
    let mark = code.lines().nth(1)?.strip_prefix("// Text of rustc, `")?;
    let (words, rest) = mark.split_once("`: ")?;
    Some((words, rest.strip_suffix(" has the cure.")?))
}

#[test]
fn one_mistake_is_one_error() {
    let cases: BTreeMap<String, String> = read_all("rs").collect();
    for (case, text) in read_all("stderr") {
        if text_of_rustc(&cases[&case]).is_some() {
            continue;
        }
        let errors = text.lines().filter(|line| is_error(line)).count();
        let file = case.rsplit('/').next().unwrap_or_default();
        if file.starts_with("several_mistakes_") {
            assert!(errors >= 1, "{case}: no error");
        } else if is_marked_twice(&text) {
            assert_eq!(
                errors, 2,
                "{case}: a duplicate is marked at both places, and nowhere else"
            );
        } else {
            assert_eq!(errors, 1, "{case}: one mistake is one error");
        }
    }
}

#[test]
fn no_output_shows_internal_names() {
    // the hidden module, internal names of the macros, a file with a hash in its name, paths of one machine, the whole macro
    const INTERNAL: [&str; 11] = [
        "__private",
        "__agent_action",
        "__agent_agent",
        "__AgentSkill",
        "__AgentResources",
        "call_site",
        "long-type-",
        "/root/",
        "/home/",
        "/tmp/",
        "in this procedural macro expansion",
    ];
    for (case, text) in read_all("stderr") {
        for internal in INTERNAL {
            assert!(
                !text.contains(internal),
                "{case}: the output shows `{internal}`"
            );
        }
    }
}

/// The messages of rustc change with every release.
fn assert_toolchain() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&rustc)
        .arg("-V")
        .output()
        .unwrap_or_else(|error| panic!("`{} -V` does not run: {error}", rustc.display()));
    let version = String::from_utf8_lossy(&output.stdout);
    let is_pinned = version
        .split_whitespace()
        .nth(1)
        .is_some_and(|number| number == PINNED || number.starts_with(&format!("{PINNED}.")));
    assert!(
        is_pinned,
        "the outputs of the UI tests are from rustc {PINNED}, and this is {}; run `rustup run {PINNED} cargo test -p \
         skill-ui-tests`, or change `rust-version` and update the outputs with `TRYBUILD=overwrite`",
        version.trim()
    );
}

fn is_error(line: &str) -> bool {
    line.starts_with("error: ") || line.starts_with("error[")
}

/// Whether one of two errors marks the first of two duplicates.
fn is_marked_twice(text: &str) -> bool {
    text.lines()
        .any(|line| is_error(line) && line.ends_with("here first"))
}

/// The paths of all cases or outputs, without the extension.
fn with_extension(extension: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = BTreeSet::new();
    for topic in entries(folder).into_iter().filter(|path| path.is_dir()) {
        for file in entries(&topic) {
            if file.extension().is_some_and(|found| found == extension) {
                let name = file.with_extension("");
                let name = name.strip_prefix(folder).unwrap_or(&name);
                names.insert(name.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    names
}

fn read_all(extension: &str) -> impl Iterator<Item = (String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    with_extension(extension).into_iter().map(move |name| {
        let path = folder.join(format!("{name}.{extension}"));
        let text = fs::read_to_string(&path).expect("a file that was listed can be read");
        (name, text)
    })
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of `ui` can be listed");
    entries
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.is_dir() || path.extension().is_some())
        .collect()
}

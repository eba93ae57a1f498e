//! Checks the bytes of any file in every preset: the result is deterministic; a document that does not load has a visible error
//! with a valid position; the body of one that loads is part of the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skill_manifest::__private::is_visible;
use skill_manifest::{
    Diagnostic, Dialect, Report, Severity, check_agent_at, check_bytes, check_config,
};

fuzz_target!(|bytes: &[u8]| {
    let text = std::str::from_utf8(bytes).ok();
    let lines = lines(&String::from_utf8_lossy(bytes));
    for dialect in Dialect::PRESETS {
        let report = check_bytes("skills/a/SKILL.md", bytes, dialect);
        is_sound(&report, &lines);
        assert_eq!(report, check_bytes("skills/a/SKILL.md", bytes, dialect));
        if let Some(doc) = report.doc() {
            let text = text.expect("what loads is UTF-8");
            assert!(text[doc.body_offset..].starts_with(&*doc.body));
        }
    }
    if let Some(text) = text {
        let report = check_agent_at("agents/a/AGENT.md", text);
        is_sound(&report, &lines);
        if let Some(doc) = report.doc() {
            assert!(text.contains(&*doc.system_prompt));
        }
        is_sound(&check_config("config.user.yaml", text), &lines);
    }
});

/// Checks that a document loads or has an error, and that every position is within the file.
fn is_sound<T>(report: &Report<T>, lines: &[usize]) {
    let diagnostics = report.diagnostics();
    let failed = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(report.is_valid(), !failed);
    for diagnostic in diagnostics {
        assert!(is_in_range(diagnostic, lines), "{diagnostic:?}");
        assert!(!diagnostic.message.is_empty() && diagnostic.message.chars().all(is_visible));
    }
}

fn is_in_range(diagnostic: &Diagnostic, lines: &[usize]) -> bool {
    let (Some(line), Some(column)) = (diagnostic.line, diagnostic.column) else {
        return diagnostic.line.is_none() && diagnostic.column.is_none();
    };
    let length = (line as usize)
        .checked_sub(1)
        .and_then(|line| lines.get(line));
    // one after the last character is the end of the line
    length.is_some_and(|length| (1..=length + 1).contains(&(column as usize)))
}

/// Returns the length of every line in characters, by the line ends of YAML.
fn lines(text: &str) -> Vec<usize> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(|line| line.chars().count()).collect()
}

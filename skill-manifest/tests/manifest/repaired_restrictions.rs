//! A repaired value is a string, and no restriction disappears into it, however it is written.

use skill_manifest::{DiagnosticCode, Dialect, Report, check};

fn checked(line: &str) -> Report {
    let text = format!("---\nname: a\ndescription: Use it: now\n{line}\n---\n");
    check(&text, &Dialect::AGENT_SKILLS_LENIENT)
}

fn codes(report: &Report) -> Vec<DiagnosticCode> {
    let found = report.diagnostics().iter();
    found.map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn no_spelling_of_a_restriction_disappears_into_a_repaired_value() {
    for line in [
        "  allowed-tools: Read",
        "\tallowed-tools: Read",
        "  allowed-tools : Read",
        "  allowed-tools:Read",
        "  \"allowed-tools\": x: y",
        "  'allowed-tools': x: y",
        "  Allowed_Tools: a: b",
        "  ALLOWED-TOOLS: Read",
        "  allowedTools: Read",
        "  allowed tools: Read",
        "  - allowed-tools: Read",
        "  -allowed-tools: Read",
        "  - - 'allowed-tools': Read",
        "  * allowed-tools: Read",
        "  {allowed-tools: Read}",
        "  { \"Allowed_Tools\": [Read] }",
        "  [{allowed-tools: Read}]",
        "  {license: MIT, allowed-tools: Read}",
        "  more text {license: MIT, allowed-tools: Read}",
        "  ? allowed-tools\n  : Read",
        "  ? 'allowed-tools'",
        "  !!str allowed-tools: Read",
        "  !<tag:yaml.org,2002:str> allowed-tools: Read",
        "  !<tag:yaml.org,2002:str> allowed-tools: [Read]",
        "  &anchor allowed-tools: Read",
        "  allowed\u{200B}-tools: Read",
        "  \u{FEFF}allowed-tools: Read",
        "  \u{ff41}llowed-tools: Read",
        "  allowed-tools\u{ff1a} Read",
        "  allowed\u{2011}tools: Read",
        "  allowed-tools = Read",
        "  1. allowed-tools: Read",
        "  **allowed-tools**: Read",
        "  \u{201c}allowed-tools\u{201d}: Read",
        "  and more\u{2028}allowed-tools: Read",
        "  and more\u{85}allowed-tools: Read",
        "  and more\u{b}allowed-tools: Read",
        "  and: more\n\n  allowed-tools: Read",
        "  and: more\r  allowed-tools: Read",
        "  disable-model-invocation: true",
        "  Disable_Model_Invocation: true",
        "  user-invocable: false",
        "  'user_invocable': false",
        "  disallowed-tools: Bash",
        "  requires_tools: [x]",
        "  requires: [x]",
        "  - \"Requires-Tools\": [x]",
        "  eligibility: {os: [linux]}",
        "  Eligibility:",
        "  invocation_mode: tool_dispatch",
        "  command_tool: x",
        "  default_enabled: false",
    ] {
        let report = checked(line);
        assert_eq!(
            codes(&report),
            [DiagnosticCode::MalformedFrontmatter],
            "{line:?}"
        );
    }
}

#[test]
fn a_key_like_a_restriction_is_not_repaired() {
    for line in [
        "\"allowed-tools\": x: y",
        "'allowed-tools': x: y",
        "Allowed_Tools: a: b",
        "allowedTools: a: b",
        "- allowed-tools: a: b",
        "{allowed-tools: a: b",
        "Disable-Model-Invocation: true: x",
        "user_invocable: false: x",
        "Requires: a: b",
    ] {
        let report = checked(line);
        assert_eq!(
            codes(&report),
            [DiagnosticCode::MalformedFrontmatter],
            "{line:?}"
        );
    }
    // a restriction under its own name stays one
    let report = checked("allowed-tools: Bash(git: *) Read");
    let tools = report.doc().and_then(|doc| doc.allowed_tools.clone());
    assert_eq!(
        tools.as_deref(),
        Some(&["Bash(git: *)".into(), "Read".into()][..])
    );
}

#[test]
fn prose_that_speaks_of_restrictions_is_repaired() {
    for line in [
        "  which it requires: nothing",
        "  See allowed-tools: they are listed there",
        "  The eligibility: none",
        "  - tools: many",
        "  {requirements: none}",
        "  Required: node",
        "  requires git",
        "  a, requires: b",
        "  # allowed: yes",
    ] {
        let report = checked(line);
        assert!(report.is_valid(), "{line:?}: {:?}", report.diagnostics());
    }
}

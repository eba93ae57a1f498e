//! Properties of every text.

use proptest::prelude::*;
use skill_manifest::__private::is_visible;
use skill_manifest::{
    Dialect, SkillDoc, check, check_agent, check_agent_at, check_at, check_bytes, check_config,
    sanitize_name,
};

/// Lines that documents consist of, and lines that break them.
fn line() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "---",
        "--- ",
        "----",
        "...",
        "name: a",
        "name: é",
        "description: d",
        "description: x: y",
        "description: |",
        "description: >-",
        "  text: 'it",
        "\tx",
        "license: MIT",
        "metadata:",
        "  k: v",
        "allowed-tools: Read, Bash(a b)",
        "allowed-tools:",
        "  - Read",
        "- x",
        "triggers: {keywords: [a]}",
        "triggers:",
        "  patterns: ['(']",
        "version: 1.0",
        "eligibility: {os: [linux]}",
        "command: Plan",
        "invocation_mode: tool_dispatch",
        "x: &a b",
        "y: *a",
        "z: !!str 1",
        "# comment",
        "",
        "\u{FEFF}",
        "\0",
        "字: 字",
        "name: deploy\u{3164}",
        "name: \"\\e[31m\\u202E\\n\"",
        "\u{202E}\u{FE0F}: \u{2028}x",
        "version: \"\\e[31m\"",
        "requires: [\"\u{200D}@\"]",
        "toolsets: [\"\\e\"]",
        "scripts: [\"/\\e\u{E0041}\"]",
        "triggers: {patterns: [\"(\\e\u{FFA0}\"]}",
        "x: \"a\" b",
    ]);
    prop_oneof![8 => pieces.prop_map(str::to_owned), 1 => ".{0,20}"]
}

fn text() -> impl Strategy<Value = String> {
    let ends = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    let lines = prop::collection::vec((line(), ends), 0..14);
    let opened = any::<bool>();
    (opened, lines).prop_map(|(opened, lines)| {
        let lines: String = lines.into_iter().map(|(line, end)| line + end).collect();
        if opened {
            format!("---\nname: a\ndescription: d\n{lines}---\nBody\n")
        } else {
            lines
        }
    })
}

/// A document that often loads in the strict preset.
fn plain() -> impl Strategy<Value = String> {
    let description = "[a-zA-Z0-9 ,.'é字#-]{1,40}";
    let more = prop::sample::select(vec![
        "",
        "license: MIT\n",
        "compatibility: here\n",
        "metadata:\n  k: 1.0\n",
        "allowed-tools: Read\n",
        "allowed-tools:\n  - Read\n",
    ]);
    ("[a-z0-9-]{1,8}", description, more, ".{0,20}").prop_map(|(name, description, more, body)| {
        format!("---\nname: {name}\ndescription: {description}\n{more}---\n{body}")
    })
}

/// A document in which one value or key is very long and contains invisible characters.
fn long() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "name",
        "description",
        "version",
        "command",
        "requires",
        "invocation_mode",
        "max_skills",
        "",
    ]);
    let c = prop::sample::select(vec!["x", "字", "\u{202E}", "\\e", "\\n", "é "]);
    let list = any::<bool>();
    (key, c, 1_000_usize..9_000, list).prop_map(|(key, c, count, list)| {
        let value = c.repeat(count);
        match (key, list) {
            ("", _) => format!("---\n\"{value}\": a\n\"{value}\": b\n---\n"),
            (key, true) => format!("---\n{key}: [\"{value}\"]\n---\n"),
            (key, false) => format!("---\n{key}: \"{value}\"\n---\n"),
        }
    })
}

/// The most characters of a message.
const LONGEST: usize = 1_024;

/// Splits a text into lines, by the line ends of YAML.
fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(str::to_owned).collect()
}

proptest! {
    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for dialect in Dialect::PRESETS {
            let opened = [b"---\n", &bytes[..], b"\n---\n"].concat();
            for bytes in [&bytes, &opened] {
                let report = check_bytes("a/SKILL.md", bytes, dialect);
                prop_assert!(report.is_valid() != (report.errors().count() > 0));
            }
        }
    }

    #[test]
    fn every_position_is_within_the_text(text in text()) {
        let lines = lines(&text);
        let mut reported = check_agent(&text).diagnostics().to_vec();
        for dialect in Dialect::PRESETS {
            reported.extend_from_slice(check(&text, dialect).diagnostics());
        }
        for diagnostic in reported {
            let (Some(line), Some(column)) = (diagnostic.line, diagnostic.column) else {
                continue;
            };
            prop_assert!(line >= 1 && column >= 1, "{diagnostic}");
            let line = lines.get(line as usize - 1);
            let length = line.map(|line| line.chars().count());
            prop_assert!(length.is_some_and(|length| column as usize <= length + 1), "{diagnostic} {:?}", text);
        }
    }

    #[test]
    fn messages_are_visible_and_of_limited_length(
        folder in "[^/\\\\]{0,3}",
        text in prop_oneof![text(), long(), any::<Vec<u8>>().prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())],
    ) {
        let path = format!("x/{folder}/SKILL.md");
        let mut reported = Vec::new();
        for dialect in Dialect::PRESETS {
            reported.extend_from_slice(check_bytes(&path, text.as_bytes(), dialect).diagnostics());
        }
        reported.extend_from_slice(check_agent_at(&path, &text).diagnostics());
        reported.extend_from_slice(check_config(&path, &text).diagnostics());
        for diagnostic in reported {
            prop_assert!(diagnostic.to_string().chars().all(is_visible), "{:?}", diagnostic);
            for said in [Some(&diagnostic.message), diagnostic.help.as_ref()].into_iter().flatten() {
                prop_assert!(said.chars().all(is_visible), "{:?}", said);
                prop_assert!(said.chars().count() <= LONGEST, "{:?}", said);
            }
        }
    }

    #[test]
    fn a_document_that_loads_has_a_visible_id(folder in ".{0,3}", name in "\\PC{0,3}|.{0,3}", text in text()) {
        // the real names of `.` and `..` are unknown from the text
        let last = folder.rsplit(['/', '\\']).find(|part| !part.is_empty());
        prop_assume!(!matches!(last, Some("." | "..")));
        let path = format!("x/{folder}/SKILL.md");
        let named = format!("---\nname: \"{name}\"\ndescription: d\n---\n");
        for dialect in Dialect::PRESETS {
            for text in [&named, &text] {
                if let Some(doc) = check_at(&path, text, dialect).doc() {
                    prop_assert!(doc.id.chars().all(is_visible) && !doc.id.trim().is_empty(), "{:?}", doc.id);
                }
            }
        }
    }

    #[test]
    fn a_document_that_loads_strictly_loads_leniently_with_the_same_values(text in prop_oneof![plain(), text()]) {
        let strict = check(&text, &Dialect::AGENT_SKILLS);
        if let Ok(mut doc) = strict.into_doc() {
            let lenient = check(&text, &Dialect::AGENT_SKILLS_LENIENT);
            // the dialect, not the document, says whether a body has placeholders
            prop_assert!(!std::mem::replace(&mut doc.argument_placeholders, true));
            prop_assert_eq!(Some(&doc), lenient.doc());
        }
    }

    #[test]
    fn a_known_folder_never_makes_a_document_valid(text in prop_oneof![plain(), text()]) {
        let with_folder = check_at("skills/a/SKILL.md", &text, &Dialect::AGENT_SKILLS);
        prop_assert!(check(&text, &Dialect::AGENT_SKILLS).is_valid() || !with_folder.is_valid());
    }

    #[test]
    fn the_body_is_part_of_the_file(text in text()) {
        for dialect in Dialect::PRESETS {
            if let Some(doc) = check(&text, dialect).doc() {
                prop_assert!(text[doc.body_offset..].starts_with(&*doc.body));
                prop_assert!(doc.brief_description.chars().count() <= 80);
            }
        }
    }

    #[test]
    fn the_same_text_gives_the_same_report(text in text()) {
        let once = check(&text, &Dialect::AGENT_SKILLS_LENIENT);
        prop_assert_eq!(once, check(&text, &Dialect::AGENT_SKILLS_LENIENT));
    }

    #[test]
    fn a_sanitized_name_is_a_valid_folder_name(text in ".{0,300}") {
        let name = sanitize_name(&text);
        prop_assert!(!name.is_empty() && name.len() <= 255 && !name.starts_with('.'));
        prop_assert_eq!(sanitize_name(&name), name);
    }
}

#[test]
fn an_empty_document_has_the_default_values() {
    let doc: SkillDoc = check("", &Dialect::LILY).into_doc().unwrap();
    assert_eq!((&*doc.id, &*doc.body, doc.default_enabled), ("", "", true));
}

//! Invisible characters: a warning in prose, an error in an id.

use skill_manifest::{Diagnostic, DiagnosticCode, Dialect, IdSource, Report, check, check_at};

const STRICT: Dialect = Dialect::AGENT_SKILLS;
const LENIENT: Dialect = Dialect::AGENT_SKILLS_LENIENT;

fn only(report: &Report) -> &Diagnostic {
    let [one] = report.diagnostics() else {
        panic!("{:?}", report.diagnostics());
    };
    one
}

/// The invisible characters that a document can contain: YAML refuses most control characters.
const HIDDEN: &[char] = &[
    '\u{AD}',
    '\u{34F}',
    '\u{61C}',
    '\u{115F}',
    '\u{1160}',
    '\u{17B4}',
    '\u{17B5}',
    '\u{180B}',
    '\u{180E}',
    '\u{180F}',
    '\u{200B}',
    '\u{200D}',
    '\u{202E}',
    '\u{2060}',
    '\u{3164}',
    '\u{FE00}',
    '\u{FE0F}',
    '\u{FEFF}',
    '\u{FFA0}',
    '\u{FFF9}',
    '\u{FFFB}',
    '\u{1BCA0}',
    '\u{1D173}',
    '\u{E0041}',
    '\u{E01EF}',
];

#[test]
fn an_invisible_character_is_reported() {
    for c in HIDDEN {
        let report = check(&format!("---\nname: a\ndescription: x{c}y\n---\n"), &STRICT);
        assert_eq!(
            (only(&report).code, only(&report).line),
            (DiagnosticCode::HiddenCharacter, Some(3)),
            "{c:?}"
        );
    }
    let emoji = "---\nname: a\ndescription: \u{2764}\u{FE0F}\u{200D}\u{1F525}\n---\n";
    assert_eq!(check(emoji, &STRICT).diagnostics(), []);
}

#[test]
fn an_id_with_an_invisible_character_loads_in_no_dialect() {
    for c in HIDDEN.iter().chain(&['\u{2028}', '\u{2029}']) {
        let id = format!("dep{c}loy");
        let named = format!("---\nname: \"{id}\"\ndescription: d\n---\n");
        for dialect in Dialect::PRESETS {
            for folder in ["deploy", &id] {
                // of two equal problems, one is reported
                let report = check_at(&format!("{folder}/SKILL.md"), &named, dialect);
                let errors: Vec<_> = report.errors().collect();
                let is_folder = dialect.id == IdSource::Directory;
                match errors[..] {
                    [] => assert!(is_folder && folder == "deploy", "{c:?} {}", dialect.name),
                    [one] => {
                        assert_eq!(one.code, DiagnosticCode::HiddenCharacter, "{one}");
                        let shown = format!("`dep{}loy` has an invisible char", c.escape_default());
                        assert!(one.message.contains(&shown), "{one}");
                        assert_eq!(one.line, (!is_folder).then_some(2), "{one}");
                    }
                    _ => panic!("{errors:?}"),
                }
            }
        }
        let help = check(&named, &STRICT).diagnostics()[0].help.clone();
        let near = if HIDDEN.contains(c) {
            "`deploy` would be valid"
        } else {
            "`dep-loy` would be valid"
        };
        assert_eq!(help.as_deref(), Some(near));
    }
}

#[test]
fn a_display_name_warns_about_invisible_characters() {
    let text = "---\nname: De\u{200B}ploy\ndescription: d\n---\n";
    let report = check_at("deploy/SKILL.md", text, &Dialect::NAMED);
    assert_eq!((report.is_valid(), only(&report).line), (true, Some(2)));
    assert_eq!(only(&report).code, DiagnosticCode::HiddenCharacter);
}

#[test]
fn an_id_is_one_nonblank_line() {
    let loose = LENIENT.with_trim(false);
    for (name, why) in [
        ("a\\tb", "the id `a\\tb` has a control character"),
        ("a\\nb", "the id `a\\nb` has a control character"),
        ("a\\eb", "the id `a\\u{1b}b` has a control character"),
        ("  ", "the id `  ` is blank"),
    ] {
        let text = format!("---\nname: \"{name}\"\ndescription: d\n---\n");
        let report = check_at("a/SKILL.md", &text, &loose);
        let errors: Vec<_> = report.errors().collect();
        let [one] = errors[..] else {
            panic!("{errors:?}")
        };
        assert_eq!(
            (one.code, &*one.message),
            (DiagnosticCode::InvalidName, why)
        );
    }
    for folder in ["a\nb", "a\u{1b}b", " "] {
        for dialect in Dialect::PRESETS {
            let text = "---\nname: a\ndescription: d\n---\n";
            let report = check_at(&format!("{folder}/SKILL.md"), text, dialect);
            let errors: Vec<_> = report.errors().map(|diagnostic| diagnostic.code).collect();
            assert_eq!(
                errors,
                [DiagnosticCode::InvalidName],
                "{folder:?} {}",
                dialect.name
            );
        }
    }
    // the only problem is that a required name is missing
    for text in [
        "---\ndescription: d\n---\n",
        "---\nname: ''\ndescription: d\n---\n",
    ] {
        assert_eq!(check(text, &STRICT).errors().count(), 1, "{text}");
    }
    const NAMELESS: Dialect = Dialect::TRIGGERED.with_required(&[]);
    let report = check("---\ndescription: d\n---\n", &NAMELESS);
    assert_eq!(only(&report).message, "the id `` is blank");
    assert!(check("---\nname: a\ndescription: d\n---\n", &NAMELESS).is_valid());
}

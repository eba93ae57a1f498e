//! An id looks like what it is: it has no blank that a reader does not see, and a mix of alphabets is reported.

use skill_manifest::{Diagnostic, DiagnosticCode, Dialect, Severity, check_at};

/// The diagnostics of a document whose folder is its id.
fn of_folder(folder: &str) -> Vec<Diagnostic> {
    let report = check_at(&format!("{folder}/SKILL.md"), "# It\n", &Dialect::LILY);
    report.diagnostics().to_vec()
}

/// The diagnostics of a document whose name is its id.
fn of_name(name: &str) -> Vec<Diagnostic> {
    let text = format!("---\nname: \"{name}\"\ndescription: d\n---\n");
    let dialect = Dialect::AGENT_SKILLS_LENIENT.with_trim(false);
    check_at("plan/SKILL.md", &text, &dialect)
        .diagnostics()
        .to_vec()
}

#[test]
fn an_id_with_a_blank_looking_end_is_refused() {
    for blank in [
        " ",
        "\u{a0}",
        "\u{1680}",
        "\u{2002}",
        "\u{200a}",
        "\u{202f}",
        "\u{205f}",
        "\u{2800}",
        "\u{3000}",
        "\u{3164}",
        "\u{115f}",
        "\u{1160}",
        "\u{ffa0}",
        "\u{1d159}",
        "\u{13441}",
        "\u{16fe4}",
        "\u{180e}",
        "\u{200b}",
        "\u{feff}",
        "\u{e0020}",
    ] {
        for id in [format!("plan{blank}"), format!("{blank}plan")] {
            for found in [of_folder(&id), of_name(&id)] {
                let errors = found.iter().filter(|it| it.severity == Severity::Error);
                assert_eq!(errors.count(), 1, "{id:?}: {found:?}");
            }
        }
    }
}

#[test]
fn the_only_blank_within_an_id_is_a_space() {
    assert_eq!(of_folder("two  words"), []);
    for (id, code, message) in [
        (
            "plan ",
            DiagnosticCode::InvalidName,
            "the id `plan ` begins or ends with a blank",
        ),
        (
            "a\u{a0}b",
            DiagnosticCode::HiddenCharacter,
            "the id `a\u{a0}b` has the character U+00A0, which looks like a space",
        ),
        (
            "a\u{2800}b",
            DiagnosticCode::HiddenCharacter,
            "the id `a\u{2800}b` has the character U+2800, which looks like a space",
        ),
    ] {
        let found = of_folder(id);
        assert_eq!((found[0].code, &*found[0].message), (code, message));
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

#[test]
fn an_id_of_mixed_alphabets_is_a_warning() {
    for (id, message) in [
        (
            "d\u{435}ploy",
            "the id `d\u{435}ploy` has letters of Latin and Cyrillic, which may look alike",
        ),
        (
            "\u{440}lan",
            "the id `\u{440}lan` has letters of Cyrillic and Latin, which may look alike",
        ),
        (
            "pl\u{3b1}n",
            "the id `pl\u{3b1}n` has letters of Latin and Greek, which may look alike",
        ),
        (
            "\u{ff50}l\u{430}n",
            "the id `\u{ff50}l\u{430}n` has letters of Latin and Cyrillic, which may look alike",
        ),
    ] {
        for (found, line) in [(of_folder(id), None), (of_name(id), Some(2))] {
            let of_scripts = found
                .iter()
                .filter(|it| it.code.as_str() == "mixed_scripts");
            let [only] = of_scripts.collect::<Vec<_>>()[..] else {
                panic!("{found:?}");
            };
            assert_eq!((only.severity, only.line), (Severity::Warning, line));
            assert_eq!(only.message, message);
        }
    }
    assert_eq!(
        of_folder("d\u{435}ploy")[0].help.as_deref(),
        Some("write it in one alphabet: `\u{435}` is U+0435")
    );
}

#[test]
fn scripts_that_are_written_together_are_not_mixed() {
    for id in [
        "deploy-2",
        "\u{43f}\u{43b}\u{430}\u{43d}-2",
        "caf\u{e9}",
        "git\u{306e}\u{4f7f}\u{3044}\u{65b9}",
        "\u{bc30}\u{d3ec}-deploy",
        "api-\u{939}\u{93f}\u{928}\u{94d}\u{926}\u{940}",
        "\u{2764}-deploy",
    ] {
        assert_eq!(of_folder(id), [], "{id}");
    }
}

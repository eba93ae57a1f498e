//! Hostile input: each gets an error with a code and a position, and the work is limited by limits, not by clocks.

use skill_manifest::{Diagnostic, DiagnosticCode, Dialect, Report, check, check_bytes};

const STRICT: Dialect = Dialect::AGENT_SKILLS;
const LENIENT: Dialect = Dialect::AGENT_SKILLS_LENIENT;

fn document(yaml: &str) -> String {
    format!("---\nname: a\ndescription: d\n{yaml}\n---\nBody\n")
}

/// Returns the only error, which must be the same in every preset.
fn error(text: &str) -> (DiagnosticCode, Option<u32>, Option<u32>) {
    let said = Dialect::PRESETS.iter().map(|dialect| {
        let report = check(text, dialect);
        let errors: Vec<_> = report.errors().cloned().collect();
        assert!(
            report.doc().is_none() && errors.len() == 1,
            "{}: {errors:?}",
            dialect.name
        );
        (errors[0].code, errors[0].line, errors[0].column)
    });
    let said: Vec<_> = said.collect();
    assert!(said.windows(2).all(|two| two[0] == two[1]), "{said:?}");
    said[0]
}

fn only(report: &Report) -> &Diagnostic {
    let [one] = report.diagnostics() else {
        panic!("{:?}", report.diagnostics());
    };
    one
}

#[test]
fn an_alias_bomb_is_refused_at_its_first_anchor() {
    let bomb = format!("x: &a [y, y]\n{}", "z: [*a, *a, *a]\n".repeat(500));
    assert_eq!(error(&document(&bomb)).0, DiagnosticCode::YamlFeature);
    assert_eq!(
        error(&document("x: *a")),
        (DiagnosticCode::YamlFeature, Some(4), Some(4))
    );
    assert_eq!(
        error(&document("<<: {a: b}")),
        (DiagnosticCode::YamlFeature, Some(4), Some(1))
    );
}

#[test]
fn deep_nesting_is_refused() {
    // 300 levels fill the frontmatter; 3,000 exceed its size
    let deep = |levels: usize| {
        (0..levels)
            .map(|level| format!("{}k:\n", " ".repeat(level)))
            .collect::<String>()
    };
    assert_eq!(error(&document(&deep(300))).0, DiagnosticCode::YamlLimit);
    assert_eq!(error(&document(&deep(3_000))).0, DiagnosticCode::TooLarge);
    let flat: String = "{k: ".repeat(3_000);
    assert_eq!(
        error(&document(&format!("x: {flat}"))).0,
        DiagnosticCode::YamlLimit
    );
    assert_eq!(
        error(&document(&format!("x: {}", "- ".repeat(3_000)))).0,
        DiagnosticCode::MalformedFrontmatter
    );
    assert_eq!(
        error(&document(&format!("? {}", "? ".repeat(3_000)))).0,
        DiagnosticCode::YamlLimit
    );
}

#[test]
fn twenty_thousand_brackets_are_refused_at_the_limit() {
    assert_eq!(
        error(&document(&format!("x: {}", "[".repeat(20_000)))).0,
        DiagnosticCode::YamlLimit
    );
    assert_eq!(
        error(&format!("---\n{}\n---\n", "[".repeat(20_000))).0,
        DiagnosticCode::YamlLimit
    );
}

#[test]
fn too_many_values_are_refused_at_the_limit() {
    let many = format!("x:\n{}", "- y\n".repeat(2_000));
    let (code, line, _) = error(&document(&many));
    assert_eq!(code, DiagnosticCode::YamlLimit);
    // the limit is 2,000, and the first keys are nodes too
    assert!(
        line.is_some_and(|line| (1_990..2_006).contains(&line)),
        "{line:?}"
    );
}

#[test]
fn a_document_of_100_mb_is_not_parsed() {
    let mut bytes = vec![b'-'; 100 << 20];
    bytes[..8].copy_from_slice(b"---\nx: \xFF");
    let report = check_bytes("a/SKILL.md", &bytes, &STRICT);
    assert_eq!(
        (only(&report).code, only(&report).line),
        (DiagnosticCode::TooLarge, None)
    );
}

#[test]
fn a_file_and_its_frontmatter_may_be_exactly_as_large_as_the_limits() {
    let limits = LENIENT.limits;
    let padded = |frontmatter: usize, file: usize| {
        let mut text = "---\nname: a\ndescription: d\n#".to_owned();
        text.push_str(&"x".repeat(frontmatter - (text.len() - 4) - 1));
        text.push_str("\n---\nB");
        text.push_str(&"o".repeat(file - text.len()));
        text
    };
    assert!(check(&padded(limits.frontmatter, limits.file), &STRICT).is_valid());
    let code = |frontmatter, file| error(&padded(frontmatter, file)).0;
    assert_eq!(
        code(limits.frontmatter + 1, limits.file),
        DiagnosticCode::TooLarge
    );
    assert_eq!(
        code(limits.frontmatter, limits.file + 1),
        DiagnosticCode::TooLarge
    );
}

#[test]
fn nul_and_bad_utf8_are_reported_with_their_positions() {
    assert_eq!(
        error(&document("x: \0")),
        (DiagnosticCode::MalformedFrontmatter, Some(4), Some(4))
    );
    let report = check_bytes(
        "a/SKILL.md",
        b"---\r\nname: \xC3\xA9\xFF\r\n---\r\n",
        &STRICT,
    );
    assert_eq!(
        (only(&report).code, only(&report).line, only(&report).column),
        (DiagnosticCode::BadUtf8, Some(2), Some(8))
    );
}

#[test]
fn a_byte_order_mark_and_every_line_end_are_accepted() {
    let text = document("license: MIT");
    let expected = check(&text, &STRICT).into_doc().unwrap();
    for other in [
        format!("\u{FEFF}{text}"),
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
    ] {
        let doc = check(&other, &STRICT).into_doc().unwrap();
        assert_eq!(
            (&doc.license, &doc.body),
            (&expected.license, &expected.body),
            "{other:?}"
        );
        assert!(other[doc.body_offset..].starts_with(&*doc.body));
    }
    let wrong = check("---\rname: a\rdescription: 'd\r---\rBody\r", &STRICT);
    assert_eq!(only(&wrong).code, DiagnosticCode::MalformedFrontmatter);
}

#[test]
fn indenting_with_a_tab_is_malformed() {
    assert_eq!(
        error(&document("x:\n\t- y")),
        (DiagnosticCode::MalformedFrontmatter, Some(5), Some(2))
    );
}

#[test]
fn a_delimiter_is_a_line_of_three_dashes() {
    for dialect in Dialect::PRESETS {
        for (text, line) in [
            ("----\nname: a\n----\n", 1),
            ("\n---\nname: a\n---\n", 2),
            ("---\nname: a\ndescription: d\n", 1),
            ("---\nname: a\n----\nBody\n", 1),
        ] {
            let report = check(text, dialect);
            assert_eq!(
                (only(&report).code, only(&report).line),
                (DiagnosticCode::MalformedFrontmatter, Some(line)),
                "{text}"
            );
        }
    }
    let inside = check(
        "---\nname: a\ndescription: one --- two\n---\nBody\n---\nmore\n",
        &STRICT,
    );
    let doc = inside.doc().unwrap();
    assert_eq!(
        (&*doc.description, &*doc.body),
        ("one --- two", "Body\n---\nmore")
    );
}

#[test]
fn only_a_single_yaml_document_that_is_a_mapping_is_accepted() {
    assert_eq!(
        error("---\na: b\n...\nc: d\n---\n").0,
        DiagnosticCode::MalformedFrontmatter
    );
    for yaml in ["- a", "a", "1", "true"] {
        assert_eq!(
            error(&format!("---\n{yaml}\n---\n")),
            (DiagnosticCode::MalformedFrontmatter, Some(2), Some(1))
        );
    }
    assert!(check("---\n# nothing\n---\nBody\n", &Dialect::LILY).is_valid());
}

#[test]
fn a_failed_parse_never_widens_rights() {
    for (yaml, code) in [
        ("allowed-tools: {Read: no}", DiagnosticCode::WrongType),
        ("allowed-tools: [[Read]]", DiagnosticCode::WrongType),
        (
            "allowed-tools: Read\nallowed-tools: Bash",
            DiagnosticCode::DuplicateKey,
        ),
        ("requires_tools: read", DiagnosticCode::WrongType),
        ("eligibility: linux", DiagnosticCode::WrongType),
        ("eligibility: {os: linux}", DiagnosticCode::WrongType),
        ("eligibility: {bins: [nope]}", DiagnosticCode::UnknownField),
        (
            "eligibility: {env: [NO_SUCH_X], env: [PATH]}",
            DiagnosticCode::DuplicateKey,
        ),
        ("default_enabled: off", DiagnosticCode::WrongType),
        (
            "disable-model-invocation: 'true'",
            DiagnosticCode::WrongType,
        ),
        ("disable-model-invocation:", DiagnosticCode::WrongType),
        (
            "disable-model-invocation: true\ndisable-model-invocation: false",
            DiagnosticCode::DuplicateKey,
        ),
        ("user-invocable: [false]", DiagnosticCode::WrongType),
        (
            "user-invocable: false\nuser-invocable: true",
            DiagnosticCode::DuplicateKey,
        ),
        (
            "invocation_mode: tool",
            DiagnosticCode::MalformedFrontmatter,
        ),
        (
            "invocation_mode: tool_dispatch",
            DiagnosticCode::MalformedFrontmatter,
        ),
        ("requires: ['@1']", DiagnosticCode::InvalidRequirement),
        ("toolsets: ['../x:Y']", DiagnosticCode::InvalidToolset),
        ("scripts: [/bin/sh]", DiagnosticCode::InvalidScript),
    ] {
        let report = check(&document(yaml), &LENIENT);
        let errors: Vec<_> = report.errors().map(|diagnostic| diagnostic.code).collect();
        assert_eq!((errors, report.doc()), (vec![code], None), "{yaml}");
    }
    // a restriction that a dialect does not know is not ignored silently
    for (key, dialect) in [
        ("allowed-tools: Read", &Dialect::NAMED),
        ("eligibility: {os: [linux]}", &Dialect::NAMED),
        ("requires-tools: [read]", &Dialect::TRIGGERED),
        ("allowed_tools: Read", &LENIENT),
        ("disable-model-invocation: true", &Dialect::NAMED),
        ("disableModelInvocation: true", &LENIENT),
        ("user_invocable: false", &LENIENT),
        ("user-invokable: false", &LENIENT),
    ] {
        let report = check(&document(key), dialect);
        assert!(report.is_valid(), "{key}");
        assert_eq!(
            (only(&report).code, only(&report).line),
            (DiagnosticCode::UnknownField, Some(4)),
            "{key}"
        );
    }
    for key in ["model: x", "arguments: x", "tools: x", "allow: x"] {
        let report = check(&document(key), &LENIENT);
        assert_eq!(report.diagnostics(), [], "{key}");
    }
}

#[test]
fn a_restriction_is_not_repaired_into_a_string() {
    let text = |second: &str| format!("---\nname: a\ndescription: Use it: now\n{second}\n---\n");
    for second in [
        " allowed-tools: Read",
        " disable-model-invocation: true",
        "  user-invocable: false",
    ] {
        let report = check(&text(second), &LENIENT);
        assert_eq!(only(&report).code, DiagnosticCode::MalformedFrontmatter);
    }
    let report = check(&text(" and: here"), &LENIENT);
    assert_eq!(only(&report).code, DiagnosticCode::RepairedYaml);
}

#[test]
fn repeated_keys_are_reported_in_every_mapping() {
    for yaml in ["  k: 1\n  k: 2", "  a:\n    k: 1\n    k: 2"] {
        let text = document(&format!("metadata:\n{yaml}"));
        assert_eq!(
            only(&check(&text, &STRICT)).code,
            DiagnosticCode::DuplicateKey
        );
        assert_eq!(
            only(&check(&text, &LENIENT)).code,
            DiagnosticCode::DuplicateKey
        );
    }
    let report = check(&document("metadata:\n  k: 1\n  k: 2"), &LENIENT);
    let metadata = &report.doc().unwrap().metadata;
    assert_eq!(metadata[..], [("k".into(), "2".into())]);
    let report = check(&document("metadata:\n  ? [a]\n  : 1"), &LENIENT);
    assert_eq!(only(&report).code, DiagnosticCode::WrongType);
}

#[test]
fn every_repetition_of_a_key_is_reported_with_the_line_of_the_first() {
    let repeated = |diagnostics: &[Diagnostic]| -> Vec<_> {
        let diagnostics = diagnostics.iter();
        diagnostics
            .map(|diagnostic| (diagnostic.line, diagnostic.message.clone()))
            .collect()
    };
    let expected = |key: &str, first: u32, again: [u32; 2]| {
        let message = format!("`{key}` is repeated; it first appears in line {first}");
        again.map(|line| (Some(line), message.clone()))
    };
    let top_level = check(&document("license: a\nlicense: b\nlicense: c"), &LENIENT);
    assert_eq!(
        repeated(top_level.diagnostics()),
        expected("license", 4, [5, 6])
    );
    let nested = check(&document("metadata:\n  k: a\n  k: b\n  k: c"), &LENIENT);
    assert_eq!(repeated(nested.diagnostics()), expected("k", 5, [6, 7]));
    let config = "max_skills: 1\nmax_skills: 2\nmax_skills: 3\n";
    let config = skill_manifest::check_config("config.user.yaml", config);
    assert_eq!(
        repeated(config.diagnostics()),
        expected("max_skills", 1, [2, 3])
    );
}

#[test]
fn a_trigger_that_matches_every_text_is_refused() {
    for yaml in ["keywords: ['']", "verbs: [' ']", "patterns: ['']"] {
        let text = document(&format!("triggers:\n  {yaml}"));
        assert_eq!(
            only(&check(&text, &Dialect::TRIGGERED)).code,
            DiagnosticCode::EmptyField
        );
        let report = check(&text, &LENIENT);
        let triggers = &report.doc().unwrap().triggers;
        assert_eq!(
            triggers.keywords.len() + triggers.verbs.len() + triggers.patterns.len(),
            0
        );
    }
}

#[test]
fn an_invalid_or_expensive_pattern_is_refused() {
    for pattern in ["(", "(a{1000}){1000}", r"\w{200}", &"x".repeat(257)] {
        let report = check(
            &document(&format!("triggers:\n  patterns: ['{pattern}']")),
            &Dialect::TRIGGERED,
        );
        assert_eq!(
            (only(&report).code, only(&report).line),
            (DiagnosticCode::InvalidPattern, Some(5)),
            "{pattern}"
        );
    }
}

#[test]
fn too_many_keywords_are_refused() {
    let many = format!("triggers:\n  keywords: [{}]", "x, ".repeat(65));
    assert_eq!(
        only(&check(&document(&many), &Dialect::TRIGGERED)).code,
        DiagnosticCode::TooMany
    );
    assert_eq!(
        check(&document(&many), &LENIENT)
            .doc()
            .unwrap()
            .triggers
            .keywords
            .len(),
        64
    );
}

#[test]
fn every_problem_is_reported_at_once() {
    let text = "---\nname: A b\ndescription: ''\nversions: 1\nname: c\ncompatibility: [x]\n---\n";
    let report = check(text, &STRICT);
    let found: Vec<_> = report
        .diagnostics()
        .iter()
        .map(|diagnostic| (diagnostic.line.unwrap(), diagnostic.code))
        .collect();
    assert_eq!(
        found,
        [
            (3, DiagnosticCode::EmptyField),
            (4, DiagnosticCode::UnknownField),
            (5, DiagnosticCode::DuplicateKey),
            (6, DiagnosticCode::YamlFeature),
            (6, DiagnosticCode::WrongType),
        ]
    );
}

#[test]
fn messages_name_the_configuration_and_keep_the_users_words() {
    let reported = |text: &str| {
        let report = skill_manifest::check_config("config.user.yaml", text);
        report.diagnostics()[0].message.clone()
    };
    let text = reported("a: !<the frontmatter\n");
    assert!(
        text.starts_with("the configuration is not valid YAML: "),
        "{text}"
    );
    assert_eq!(reported("a: &b c\n"), "anchors are not supported");
    assert_eq!(
        reported("a: 1\n---\nb: 2\n"),
        "the configuration contains more than one YAML document"
    );
    assert_eq!(
        reported("max_skills: 1\ndisabled: []\nmax_skills: 2\n"),
        "`max_skills` is repeated; it first appears in line 1"
    );
}

#[test]
fn a_diagnostic_says_what_to_write() {
    let reported = |folder: &str, text: &str, dialect: &Dialect| {
        let report = skill_manifest::check_at(&format!("{folder}/SKILL.md"), text, dialect);
        let first = report.diagnostics()[0].clone();
        (first.message, first.help.unwrap_or_default())
    };
    let strict = Dialect::AGENT_SKILLS;
    let named = "---\nname: A_b\ndescription: d\n---\n";
    assert_eq!(
        reported("plan-it", named, &strict).1,
        "`plan-it` would be valid"
    );
    assert_eq!(
        reported("Plan_it", named, &strict).1,
        "`a-b` would be valid"
    );
    let twice = "---\nname: a\ndescription: d\nname: a\n---\n";
    assert_eq!(
        reported("a", twice, &strict).0,
        "`name` is repeated; it first appears in line 2"
    );
    let pattern = "---\nname: a\ndescription: d\ntriggers:\n  patterns: ['\\s(']\n---\n";
    assert!(
        reported("a", pattern, &Dialect::TRIGGERED)
            .0
            .starts_with(r"`\s(` is not a valid pattern: ")
    );
}

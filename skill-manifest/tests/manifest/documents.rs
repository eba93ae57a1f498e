//! The meaning of the frontmatter keys.

use skill_manifest::{
    AgentDoc, DiagnosticCode, Dialect, Enforcement, FrontmatterField, Host, InvocationMode,
    SkillDoc, check, check_agent, check_agent_bytes, check_at,
};

const ALL: &str = r#"---
name: hello-extended
description: |
  Extended greetings, e.g. v1.2 ones. Use when greeting.
version: 1.0.0
license: MIT
compatibility: Needs a terminal
metadata:
  author: someone
  level: 2
  nested: {a: [b, "c\""]}
allowed-tools: Read, Bash(git add:*)
toolsets:
  - "toolsets/index:HelloToolset"
scripts: [greet.py]
triggers:
  keywords: ["hello", "greet"]
  verbs: [say]
  patterns: ["greet\\s+\\w+"]
default_enabled: false
summary: Greets.
invocation_mode: tool_dispatch
command: hello
command_tool: greet
requires_tools: [read]
eligibility:
  os: [darwin, linux]
  env: [HOME]
  binaries: [sh]
requires: [base, "other@^1.2"]
paths: src/**/*.{ts,tsx}, docs/*
disable-model-invocation: true
user-invocable: false
argument-hint: "[name]"
---

# Hello
"#;

#[test]
fn the_lenient_dialect_reads_every_field() {
    let doc = check(ALL, &Dialect::AGENT_SKILLS_LENIENT)
        .into_doc()
        .unwrap();
    let json = serde_json::to_value(&doc).unwrap();
    for field in FrontmatterField::ALL {
        let object = match field {
            FrontmatterField::Paths => &json["triggers"],
            _ => &json,
        };
        assert!(
            object
                .get(field.key())
                .is_some_and(|value| !value.is_null()),
            "{}",
            field.key()
        );
    }
    assert_eq!(doc.id, "hello-extended");
    assert_eq!(doc.brief_description, "Extended greetings, e.g. v1.2 ones");
    assert_eq!(json["metadata"]["level"], "2");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(json["metadata"]["nested"].as_str().unwrap())
            .unwrap(),
        serde_json::json!({"a": ["b", "c\""]})
    );
    assert_eq!(
        doc.allowed_tools.as_deref(),
        Some(&["Read".into(), "Bash(git add:*)".into()][..])
    );
    assert_eq!(doc.triggers.patterns[0], r"greet\s+\w+");
    assert_eq!(
        (doc.invocation_mode, doc.command_tool.as_deref()),
        (InvocationMode::ToolDispatch, Some("greet"))
    );
    assert!(!doc.default_enabled);
    assert_eq!(doc.triggers.paths[..], ["src/**/*.{ts,tsx}", "docs/*"]);
    assert!(doc.disable_model_invocation && !doc.user_invocable);
    assert_eq!(doc.argument_hint.as_deref(), Some("[name]"));
    assert_eq!(
        (&*doc.body, &ALL[doc.body_offset..]),
        ("# Hello", "# Hello\n")
    );
}

#[test]
fn a_dialect_ignores_or_rejects_unknown_keys() {
    let doc = check_at("skills/greeter/SKILL.md", ALL, &Dialect::LILY)
        .into_doc()
        .unwrap();
    assert_eq!(
        (&*doc.id, &*doc.name, &*doc.description),
        ("greeter", "greeter", "")
    );
    assert_eq!(doc.brief_description, "Greets");
    let strict = check(ALL, &Dialect::AGENT_SKILLS);
    let unknown = strict
        .errors()
        .filter(|diagnostic| diagnostic.code == DiagnosticCode::UnknownField)
        .count();
    // `brief_description` is not in the text
    assert_eq!(
        unknown,
        FrontmatterField::ALL.len() - 1 - Dialect::AGENT_SKILLS.fields.len()
    );
}

#[test]
fn the_lily_example_loads() {
    let text = "---\nsummary: Plan.\ninvocation_mode: prompt_rewrite\ncommand: plan\nrequires_tools:\n  - read\n  - write\neligibility:\n  os: [darwin, linux, win32]\n  env: []\n  binaries: []\n---\n\n# Plan Compiler\n";
    let report = check_at("skills/plan_compiler/SKILL.md", text, &Dialect::LILY);
    assert_eq!(report.diagnostics(), []);
    let doc = report.into_doc().unwrap();
    assert_eq!(doc.id, "plan_compiler");
    assert_eq!(doc.command.as_deref(), Some("plan"));
    assert!(doc.body.starts_with("# Plan Compiler"));
}

#[test]
fn the_keys_of_invocation_have_defaults_and_spellings() {
    let doc = |yaml: &str| {
        let text = format!("---\nname: a\ndescription: d\n{yaml}\n---\n");
        let report = check(&text, &Dialect::AGENT_SKILLS_LENIENT);
        let said: Vec<_> = report
            .diagnostics()
            .iter()
            .map(ToString::to_string)
            .collect();
        (report.into_doc().unwrap(), said)
    };
    let (plain, _) = doc("license: MIT");
    assert!(!plain.disable_model_invocation && plain.user_invocable);
    assert_eq!((plain.argument_hint, plain.triggers.paths.len()), (None, 0));
    for (yaml, hint) in [
        ("'[a] [b]'", Some("[a] [b]")),
        ("[issue-number]", Some("[issue-number]")),
        ("[a, b]", Some("[a, b]")),
        ("", None),
        ("3", Some("3")),
    ] {
        let (doc, said) = doc(&format!("argument-hint: {yaml}"));
        assert_eq!(
            (doc.argument_hint.as_deref(), said),
            (hint, Vec::new()),
            "{yaml}"
        );
    }
    for (yaml, code) in [
        (
            "argument-hint: [a] [b]",
            "4:16: warning[repaired_yaml]: the value of `argument-hint` is not valid YAML and is read as a string; put the value of `argument-hint` in quotes: it begins with `[`",
        ),
        (
            "argument-hint: |\n  a\n  b",
            "5:3: warning[wrong_type]: `argument-hint` has several lines; write it in one line",
        ),
        (
            "argument-hint:\n- a",
            "5:3: warning[wrong_type]: `argument-hint` must be a string, not a list; write `argument-hint: …` as one string",
        ),
    ] {
        assert_eq!(doc(yaml).1, [code], "{yaml}");
    }
    let paths = |yaml: &str| {
        let (doc, said) = doc(yaml);
        (doc.triggers.paths.join(" "), said)
    };
    assert_eq!(
        paths("paths:\n- 'src/**'\n- '{a,b}'"),
        ("src/** {a,b}".to_owned(), Vec::new())
    );
    assert_eq!(
        paths("paths: src/**, [z-a], /etc/*, ''"),
        (
            "src/** ''".to_owned(),
            vec![
                "4:8: warning[invalid_pattern]: `[z-a]` is not a valid glob: the range `z-a` is reversed".to_owned(),
                "4:8: warning[invalid_pattern]: `/etc/*` is not a valid glob: it has the segment ``; write it relative to the \
                 project, like `src/**/*.rs`".to_owned(),
            ]
        )
    );
    assert_eq!(
        paths(&format!("paths: {}", "a,".repeat(17))).1,
        ["4:8: warning[too_many]: `paths` has 17 items; at most 16 are allowed"]
    );
    assert_eq!(
        paths("paths: {a: b}").1,
        ["4:8: warning[wrong_type]: `paths` must be a string or a list of strings, not a mapping"]
    );
    // a dialect that refuses malformed values refuses a document with such a glob
    const STRICT: Dialect = Dialect::AGENT_SKILLS_LENIENT.with_form(Enforcement::Reject);
    let text = "---\nname: a\ndescription: d\npaths: '['\n---\n";
    assert_eq!(
        check(text, &STRICT).diagnostics()[0].code,
        DiagnosticCode::InvalidPattern
    );
    assert!(!check(text, &STRICT).is_valid());
}

#[test]
fn a_command_that_counts_its_arguments_from_one_is_warned_of() {
    let warnings = |key: &str, body: &str, dialect: &Dialect| -> Vec<String> {
        let text = format!("---\nname: fix\ndescription: d\n{key}\n---\n\n{body}\n");
        let report = check(&text, dialect);
        let shown = report.diagnostics().iter().map(ToString::to_string);
        shown.collect()
    };
    let lenient = &Dialect::AGENT_SKILLS_LENIENT;
    for key in ["command: fix", "argument-hint: \"[issue]\""] {
        assert_eq!(
            warnings(key, "Fix $12.\nFix é$1, then $2.", lenient),
            [
                "8:6: warning[second_argument]: `$1` is the second argument; the first is `$0`; write `$0` for the first argument"
            ]
        );
        for body in [
            "Fix $0, then $1.",
            "Fix $ARGUMENTS, not $1.",
            "Fix $ARGUMENTS[0] and $1.",
            "The $1st.",
            "Fix $2.",
        ] {
            assert!(warnings(key, body, lenient).is_empty(), "{body}");
        }
    }
    assert!(warnings("license: MIT", "Run `awk '{print $1}'`.", lenient).is_empty());
    assert!(warnings("command: fix", "Fix $1.", &Dialect::LILY).is_empty());
}

#[test]
fn absent_allowed_tools_differ_from_an_empty_list() {
    let tools = |yaml: &str| {
        let text = format!("---\nname: a\ndescription: d\n{yaml}\n---\n");
        let doc = check(&text, &Dialect::AGENT_SKILLS_LENIENT)
            .into_doc()
            .unwrap();
        doc.allowed_tools.map(|tools| tools.into_owned())
    };
    assert_eq!(tools(""), None);
    for empty in [
        "allowed-tools:",
        "allowed-tools: ''",
        "allowed-tools: []",
        "allowed-tools: ' , '",
    ] {
        assert_eq!(tools(empty), Some(Vec::new()), "{empty}");
    }
    assert_eq!(
        tools("allowed-tools: Read Bash"),
        tools("allowed-tools:\n- Read\n- Bash")
    );
}

#[test]
fn the_lenient_preset_repairs_an_unquoted_colon_with_a_warning() {
    let text = "---\nname: a\ndescription: Use it: it's new\nallowed-tools: Bash(git: *)\n---\n";
    let report = check(text, &Dialect::AGENT_SKILLS_LENIENT);
    let reported: Vec<_> = report
        .diagnostics()
        .iter()
        .map(|diagnostic| (diagnostic.code, diagnostic.line, diagnostic.column))
        .collect();
    assert_eq!(
        reported,
        [
            (DiagnosticCode::RepairedYaml, Some(3), Some(14)),
            (DiagnosticCode::RepairedYaml, Some(4), Some(16))
        ]
    );
    let doc = report.into_doc().unwrap();
    assert_eq!(doc.description, "Use it: it's new");
    assert_eq!(
        doc.allowed_tools.as_deref(),
        Some(&["Bash(git: *)".into()][..])
    );
    let strict = check(text, &Dialect::AGENT_SKILLS);
    assert_eq!(
        (strict.diagnostics()[0].code, strict.diagnostics()[0].line),
        (DiagnosticCode::MalformedFrontmatter, Some(3))
    );
}

#[test]
fn a_misspelled_key_gets_a_suggestion() {
    let report = check("---\nname: a\ndescripton: d\n---\n", &Dialect::AGENT_SKILLS);
    let reported: Vec<_> = report
        .diagnostics()
        .iter()
        .map(|diagnostic| (diagnostic.code, diagnostic.help.as_deref().unwrap()))
        .collect();
    assert_eq!(
        reported,
        [
            (DiagnosticCode::MissingField, "add `description: …`"),
            (DiagnosticCode::UnknownField, "did you mean `description`?")
        ]
    );
}

#[test]
fn the_folder_name_is_compared_in_normalized_form() {
    let text = |name: &str| format!("---\nname: {name}\ndescription: d\n---\n");
    let is_valid = |folder: &str, name: &str| {
        check_at(
            &format!("x/{folder}/SKILL.md"),
            &text(name),
            &Dialect::AGENT_SKILLS,
        )
        .is_valid()
    };
    assert!(is_valid("caf\u{E9}", "cafe\u{301}") && is_valid("a", "a"));
    assert!(!is_valid("b", "a") && !is_valid("A", "a"));
    // without a folder, there is nothing to compare
    assert!(check_at("SKILL.md", &text("a"), &Dialect::AGENT_SKILLS).is_valid());
    let lenient = check_at("x/b/SKILL.md", &text("a"), &Dialect::AGENT_SKILLS_LENIENT);
    assert_eq!(
        (lenient.is_valid(), lenient.diagnostics()[0].code),
        (true, DiagnosticCode::NameMismatch)
    );
}

#[test]
fn a_custom_dialect_can_be_a_constant() {
    const CUSTOM: Dialect = Dialect::LILY
        .with_name("CUSTOM")
        .with_fields(&[FrontmatterField::Summary, FrontmatterField::Description])
        .with_required(&[FrontmatterField::Summary])
        .with_lengths(&[(FrontmatterField::Summary, 3)])
        .with_unknown(Enforcement::Reject);
    assert!(check("---\nsummary: abc\n---\n", &CUSTOM).is_valid());
    let codes = |text| {
        check(text, &CUSTOM)
            .diagnostics()
            .iter()
            .map(|diagnostic| diagnostic.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        codes("---\nsummary: abcd\ncommand: x\n---\n"),
        [DiagnosticCode::FieldTooLong, DiagnosticCode::UnknownField]
    );
    assert_eq!(
        codes("---\ndescription: x\n---\n"),
        [DiagnosticCode::MissingField]
    );
}

#[test]
fn an_unusable_value_is_left_out_or_refused_depending_on_the_dialect() {
    let codes = |dialect: &Dialect, yaml: &str| {
        let report = check(&format!("---\nname: a\n{yaml}\n---\n"), dialect);
        let codes = report
            .diagnostics()
            .iter()
            .map(|diagnostic| diagnostic.code);
        (report.is_valid(), codes.collect::<Vec<_>>())
    };
    let license = "description: d\nlicense:\n- x";
    let wrong = vec![DiagnosticCode::WrongType];
    assert_eq!(
        codes(&Dialect::AGENT_SKILLS, license),
        (true, wrong.clone())
    );
    assert_eq!(codes(&Dialect::TRIGGERED, license), (false, wrong));
    for (text, triggered, named) in [("''", false, true), ("'  '", true, true)] {
        let yaml = format!("description: {text}");
        let empty = vec![DiagnosticCode::EmptyField];
        assert_eq!(codes(&Dialect::AGENT_SKILLS, &yaml), (false, empty.clone()));
        assert_eq!(
            codes(&Dialect::TRIGGERED, &yaml),
            (triggered, empty.clone())
        );
        assert_eq!(codes(&Dialect::NAMED, &yaml), (named, empty));
    }
}

/// A host with only the variable `HOME` and no programs.
struct BareHost {
    os: &'static str,
}

impl Host for BareHost {
    fn os(&self) -> &str {
        self.os
    }

    fn has_env(&self, name: &str) -> bool {
        name == "HOME"
    }

    fn has_binary(&self, _: &str) -> bool {
        false
    }
}

#[test]
fn eligibility_lists_what_a_host_lacks() {
    let unmet = |os: &'static str, yaml: &str| {
        let doc = check(&format!("---\neligibility: {yaml}\n---\n"), &Dialect::LILY)
            .into_doc()
            .unwrap();
        let unmet = doc.eligibility.unmet(&BareHost { os });
        unmet.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(unmet("macos", "{os: [darwin]}"), Vec::<String>::new());
    assert_eq!(
        unmet("windows", "{os: [win32], env: [HOME]}"),
        Vec::<String>::new()
    );
    assert_eq!(
        unmet("linux", "{os: [Linux]}"),
        ["it is for `Linux`, and this is `linux`"]
    );
    assert_eq!(unmet("plan9", "{os: [plan9]}").len(), 1);
    assert_eq!(
        unmet("linux", "{env: [HOME, KEY], binaries: [git]}"),
        [
            "the environment variable `KEY` is not set",
            "the program `git` is not on `PATH`"
        ]
    );
}

fn agent(yaml: &str) -> Result<AgentDoc, Vec<DiagnosticCode>> {
    let text = format!("---\n{yaml}\n---\n\nYou help.\n");
    let report = check_agent_bytes("agents/general/AGENT.md", text.as_bytes());
    report
        .into_doc()
        .map_err(|list| list.iter().map(|diagnostic| diagnostic.code).collect())
}

#[test]
fn agent_documents_disallow_skills_by_default() {
    let doc = agent("name: General Assistant\nprovider: openai\nmodel: gpt-4").unwrap();
    assert_eq!(
        (&*doc.id, doc.allow_skills, &*doc.system_prompt),
        ("general", false, "You help.")
    );
    assert!(agent("name: a\nallow_skills: true").unwrap().allow_skills);
    assert_eq!(
        agent("name: a\nallow_skills: 'true'"),
        Err(vec![DiagnosticCode::WrongType])
    );
    assert_eq!(
        agent("name: a\nallow_skils: true"),
        Err(vec![DiagnosticCode::UnknownField])
    );
    assert_eq!(agent("model: x"), Err(vec![DiagnosticCode::MissingField]));
    assert_eq!(agent("name: ' '"), Err(vec![DiagnosticCode::EmptyField]));
    assert_eq!(
        agent("name: a\nprovider: ''"),
        Err(vec![DiagnosticCode::EmptyField])
    );
    assert_eq!(
        agent("name: a\nallow_skills: false\nallow_skills: true"),
        Err(vec![DiagnosticCode::DuplicateKey])
    );
    assert_eq!(
        agent("name: [a"),
        Err(vec![DiagnosticCode::MalformedFrontmatter])
    );
    let named = check_agent("---\nname: a\n---\n");
    assert_eq!(named.doc().map(|doc| &*doc.id), Some("a"));
    let report = check_agent_bytes("a/AGENT.md", &vec![b'x'; 2 << 20]);
    assert_eq!(report.diagnostics()[0].code, DiagnosticCode::TooLarge);
}

#[test]
fn a_document_can_be_shared_between_threads() {
    fn shared<T: Send + Sync + Clone + 'static>() {}
    shared::<SkillDoc>();
    shared::<AgentDoc>();
}

#[test]
fn diagnostic_codes_are_unique() {
    let names: std::collections::BTreeSet<_> = DiagnosticCode::ALL
        .iter()
        .map(|code| code.as_str())
        .collect();
    assert_eq!(names.len(), DiagnosticCode::ALL.len());
}

//! The lenient preset reads mistakes as their author meant them, with a warning, and never as something else in silence.

use skill_manifest::{DiagnosticCode, Dialect, Report, SkillDoc, check};

fn checked(yaml: &str) -> Report {
    check(
        &format!("---\nname: x\n{yaml}\n---\n# Body\n"),
        &Dialect::AGENT_SKILLS_LENIENT,
    )
}

/// Returns a document that loads with this one warning.
fn repaired(yaml: &str, warning: &str) -> SkillDoc {
    let report = checked(yaml);
    let said: Vec<_> = report
        .diagnostics()
        .iter()
        .map(|found| (found.code, found.message.as_str()))
        .collect();
    assert_eq!(said, [(DiagnosticCode::RepairedYaml, warning)], "{yaml}");
    report.into_doc().unwrap()
}

const DESCRIPTION: &str = "the value of `description` is not valid YAML and is read as a string";

#[test]
fn a_description_is_read_as_it_is_meant() {
    for (yaml, expected) in [
        (
            "\n  Use it for plans\n  \"review my plan\". Pairs with the skill: grill first",
            "Use it for plans \"review my plan\". Pairs with the skill: grill first",
        ),
        (
            "\n  Note: use it\n  \"now\". See: this",
            "Note: use it \"now\". See: this",
        ),
        ("\n  [beta] Review: a change.", "[beta] Review: a change."),
        ("\"Reads C:\\dir\\new\"", "Reads C:\\dir\\new"),
        ("\"Matches \\d+ and \\w.\"", "Matches \\d+ and \\w."),
        (
            "\"Deploy\" things to the server.",
            "\"Deploy\" things to the server.",
        ),
        ("\"Plan\": makes plans", "\"Plan\": makes plans"),
        ("\"say \"hi\" now\"", "say \"hi\" now"),
        ("'It's good'", "It's good"),
        ("'Twas: brillig", "'Twas: brillig"),
        ("'plan' and 'do' it", "'plan' and 'do' it"),
        ("*important* things", "*important* things"),
        ("**Important:** things", "**Important:** things"),
        ("* item", "* item"),
        ("[beta] Review a change.", "[beta] Review a change."),
        ("[a](https://b.example) c", "[a](https://b.example) c"),
        ("{{name}} does", "{{name}} does"),
        ("{name}: does it", "{name}: does it"),
        ("> Review a change.", "> Review a change."),
        ("| Review a change.", "| Review a change."),
        ("& more", "& more"),
        ("%s is shown", "%s is shown"),
        ("@me and: you", "@me and: you"),
        ("`x` does", "`x` does"),
        ("] closes", "] closes"),
    ] {
        let doc = repaired(&format!("description: {yaml}"), DESCRIPTION);
        assert_eq!(doc.description, expected, "{yaml}");
    }
}

#[test]
fn a_tag_that_means_nothing_is_a_part_of_the_text() {
    for (yaml, tag) in [
        ("!important things", "!important"),
        ("!important", "!important"),
        ("! things", "!"),
        ("!include other.md", "!include"),
        ("!1 things", "!1"),
        ("!note: see this", "!note:"),
    ] {
        let warning = format!(
            "`{tag}` is a tag in YAML, and is read as a part of the value of `description`"
        );
        let doc = repaired(&format!("description: {yaml}"), &warning);
        assert_eq!(doc.description, yaml);
        // the other dialects do not read it as something else either
        let text = format!("---\nname: x\ndescription: {yaml}\n---\n");
        for dialect in Dialect::PRESETS {
            let report = check(&text, dialect);
            assert!(!report.diagnostics().is_empty(), "{} {yaml}", dialect.name);
            let read = report.doc().map(|doc| doc.description.to_string());
            assert!(
                read.is_none_or(|read| read == yaml || read.is_empty()),
                "{} {yaml}",
                dialect.name
            );
        }
    }
    let doc = checked("description: !!str 1").into_doc().unwrap();
    assert_eq!(doc.description, "1");
    // a tag never takes a restriction away
    let report = checked("description: d\ndisable-model-invocation: !x true");
    assert!(!report.is_valid());
    let doc = repaired(
        "description: d\n!x allowed-tools: Read",
        "the tag `!x` of the key `allowed-tools` is left out",
    );
    assert!(doc.allowed_tools.is_some());
    let doc = repaired(
        "description: d\nmetadata:\n  !x author: me",
        "the tag `!x` of the key `author` is left out",
    );
    assert_eq!(&*doc.metadata, [("author".into(), "me".into())]);
    let doc = repaired(
        "description: d\nallowed-tools: !x [Read]",
        "the tag `!x` of the value of `allowed-tools` is left out",
    );
    assert_eq!(doc.allowed_tools.as_deref(), Some(&["Read".into()][..]));
}

#[test]
fn a_path_with_valid_escapes_is_read_as_it_is_written() {
    let doc = repaired(
        "description: \"Reads C:\\temp\\new\"",
        "the value of `description` has a path, and its backslashes are read as they are written",
    );
    assert_eq!(doc.description, "Reads C:\\temp\\new");
    for valid in ["\"a\\tb\"", "\"C:\\\\temp\"", "\"see:\\nthis\""] {
        assert_eq!(checked(&format!("description: {valid}")).diagnostics(), []);
    }
}

#[test]
fn items_keys_and_lower_levels_are_repaired() {
    let item = "an item of `allowed-tools` is not valid YAML and is read as a string";
    for (yaml, expected) in [
        ("\n  - Bash(git:*)\n  - *", ["Bash(git:*)", "*"]),
        ("\n- Bash(git: *)\n- Read", ["Bash(git: *)", "Read"]),
        (" [Read, Bash(git: *)]", ["Read", "Bash(git: *)"]),
        (" [@acme/read, Bash]", ["@acme/read", "Bash"]),
        ("\n  - \"Read\" files\n  - Bash", ["\"Read\" files", "Bash"]),
    ] {
        let doc = repaired(&format!("description: d\nallowed-tools:{yaml}"), item);
        let tools = doc.allowed_tools.unwrap();
        assert_eq!(
            tools.iter().map(|tool| &**tool).collect::<Vec<_>>(),
            expected
        );
    }
    let metadata = |yaml: &str, warning: &str| {
        let doc = repaired(&format!("description: d\nmetadata:{yaml}"), warning);
        let metadata = doc.metadata.iter();
        metadata
            .map(|(key, value)| format!("{key}={value}"))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        metadata(
            "\n  @nuxtjs/robots: 6.0.6",
            "the key `@nuxtjs/robots` is not valid YAML and is read as a string"
        ),
        ["@nuxtjs/robots=6.0.6"]
    );
    assert_eq!(
        metadata(
            "\n  packages:\n    @nuxtjs/robots: 6.0.6",
            "the key `@nuxtjs/robots` is not valid YAML and is read as a string"
        ),
        ["packages={\"@nuxtjs/robots\":\"6.0.6\"}"]
    );
    assert_eq!(
        metadata(
            "\n  tags: [next,@supabase/ssr]",
            "an item of `tags` is not valid YAML and is read as a string"
        ),
        ["tags=[\"next\",\"@supabase/ssr\"]"]
    );
    assert_eq!(
        metadata(
            "\n  short: Use it: now",
            "the value of `short` is not valid YAML and is read as a string"
        ),
        ["short=Use it: now"]
    );
    assert_eq!(
        metadata(
            " {short: @a, tags: [b]}",
            "the value of `short` is not valid YAML and is read as a string"
        ),
        ["short=@a", "tags=[\"b\"]"]
    );
}

#[test]
fn a_glob_is_a_string() {
    let globs = |yaml: &str| {
        let report = checked(&format!("description: d\npaths: {yaml}"));
        let codes: Vec<_> = report
            .diagnostics()
            .iter()
            .map(|found| found.code)
            .collect();
        assert_eq!(codes, [DiagnosticCode::RepairedYaml], "{yaml}");
        report.into_doc().unwrap().triggers.paths.join(" ")
    };
    assert_eq!(globs("*.tsx"), "*.tsx");
    assert_eq!(globs("**/*.java, **/*.kt"), "**/*.java **/*.kt");
    assert_eq!(globs("\n  - src/**\n  - **/*.sql"), "src/** **/*.sql");
    assert_eq!(globs("[*.{ts,tsx}, docs/*]"), "*.{ts,tsx} docs/*");
}

#[test]
fn the_configuration_reads_no_tag_in_silence() {
    let report = skill_manifest::check_config("config.user.yaml", "skills_path: !home skills\n");
    let said: Vec<_> = report
        .diagnostics()
        .iter()
        .map(|found| &*found.message)
        .collect();
    assert_eq!(
        said,
        ["`!home` is a tag in YAML, and is read as a part of the value of `skills_path`"]
    );
}

#[test]
fn a_hint_in_brackets_is_a_string() {
    let doc = repaired(
        "description: d\nargument-hint: [paper-or-folder] [— venue: ICLR, canvas: 185x90, colors: true]",
        "the value of `argument-hint` is not valid YAML and is read as a string",
    );
    assert_eq!(
        doc.argument_hint.as_deref(),
        Some("[paper-or-folder] [— venue: ICLR, canvas: 185x90, colors: true]")
    );
    for hint in ["\"a\" or \"b\"", "[--x | --y] [z]"] {
        let report = checked(&format!("description: d\nargument-hint: {hint}"));
        let doc = report.into_doc().unwrap();
        assert_eq!(doc.argument_hint.as_deref(), Some(hint));
    }
}

#[test]
fn what_cannot_be_repaired_is_refused_with_its_own_error() {
    for (yaml, code) in [
        (
            "description: \"Deploy",
            DiagnosticCode::MalformedFrontmatter,
        ),
        ("description: [a, b", DiagnosticCode::MalformedFrontmatter),
        ("description: *a", DiagnosticCode::YamlFeature),
        ("description: &a b", DiagnosticCode::YamlFeature),
        ("description: d\n<<: {a: b}", DiagnosticCode::YamlFeature),
        ("description: d\nx:\n  - *a", DiagnosticCode::YamlFeature),
        (
            "description: \"a\n  allowed-tools: Read\n  b\" c",
            DiagnosticCode::MalformedFrontmatter,
        ),
        (
            "description:\n  a: b: c\n  allowed-tools: Read",
            DiagnosticCode::MalformedFrontmatter,
        ),
        (
            "description: d\n@allowed-tools: Read",
            DiagnosticCode::MalformedFrontmatter,
        ),
        (
            "description: d\nmetadata: {@a: b, **allowed-tools**: Read}",
            DiagnosticCode::MalformedFrontmatter,
        ),
    ] {
        let report = checked(yaml);
        let codes: Vec<_> = report
            .diagnostics()
            .iter()
            .map(|found| found.code)
            .collect();
        assert_eq!(codes, [code], "{yaml}");
        assert!(report.doc().is_none());
    }
}

#[test]
fn the_help_names_the_key() {
    let help = |yaml: &str, dialect: &Dialect| {
        let text = format!("---\nname: x\ndescription: d\n{yaml}\n---\n");
        let report = check(&text, dialect);
        report.diagnostics()[0].help.clone().unwrap()
    };
    for (yaml, expected) in [
        (
            "metadata:\n  @nuxtjs/robots: 6.0.6",
            "put the key `@nuxtjs/robots` in quotes",
        ),
        (
            "metadata:\n  tags: [next,@supabase/ssr]",
            "put the item `@supabase/ssr` of `tags` in quotes",
        ),
        (
            "allowed-tools:\n  - Read\n  - *",
            "put the item `*` of `allowed-tools` in quotes",
        ),
        (
            "license: see: this",
            "put the value of `license` in quotes: it contains `: `",
        ),
        (
            "license: *MIT* or so",
            "put the value of `license` in quotes: it begins with `*`",
        ),
        (
            "license: \"MIT\" or so",
            "put the whole value of `license` in `'`: it goes on after its closing `\"`",
        ),
        (
            "license: \"C:\\dir\"",
            "write `\\\\` for each backslash of the value of `license`, or put it in single quotes",
        ),
    ] {
        for dialect in [&Dialect::AGENT_SKILLS, &Dialect::AGENT_SKILLS_LENIENT] {
            assert_eq!(help(yaml, dialect), expected, "{}", dialect.name);
        }
    }
}

#[test]
fn many_nested_brackets_are_refused_in_bounded_time() {
    let nested = format!("x: @y\nz: {}@{}", "[".repeat(15_000), "]".repeat(15_000));
    assert!(
        checked(&format!("description: d\n{nested}"))
            .doc()
            .is_none()
    );
    let wide = format!("x: [{}]", "@a,".repeat(15_000));
    assert!(checked(&format!("description: d\n{wide}")).doc().is_none());
}

#[test]
fn further_lines_of_a_description_and_keys_of_lower_levels_are_read_as_they_are_meant() {
    let doc = repaired(
        "description:\n  Say \"review my plan\" first,\n  \"before I build\". Pairs with the tech-design skill: grill first,\n  then design.",
        DESCRIPTION,
    );
    assert!(doc.description.starts_with("Say \"review my plan\" first,"));
    assert!(doc.description.ends_with("then design."));
    // a key of a lower level is not the one of the document
    let nested = "description: Drive it.\nmetadata:\n  claw:\n    requires:\n      envVars:\n        - name: EMBEDDED\n          required: false\n          description: Set to 1 when a host starts it.\n        - name: OTHER\n          description: Unused.";
    let report = checked(nested);
    let doc = report.doc().expect("it loads");
    assert_eq!((&*doc.name, &*doc.description), ("x", "Drive it."));
    let doc = repaired(
        "description: \"Learn then Build\" — help developers: understand it",
        DESCRIPTION,
    );
    assert_eq!(
        doc.description,
        "\"Learn then Build\" — help developers: understand it"
    );
}

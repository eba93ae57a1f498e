//! Precedence of sources.

use crate::catalog::support::{Temp, TestHost, codes, ids, project, reported};
use skill_agent::manifest::{
    Catalog, CollisionPolicy, ContentHash, Dialect, LoadError, Severity, SkillDoc, Source, Sources,
};
use std::sync::LazyLock;

static EMBEDDED: LazyLock<&'static [SkillDoc]> = LazyLock::new(|| {
    let text = "---\nname: plan\ndescription: Embedded.\ndefault_enabled: false\n---\n# Embedded\n";
    let doc = skill_agent::manifest::check(text, &Dialect::TRIGGERED);
    Box::leak(vec![doc.into_doc().unwrap()].into_boxed_slice())
});

fn three() -> Temp {
    let temp = Temp::new();
    for source in ["user", "claude", "project"] {
        temp.write(&format!("{source}/plan/SKILL.md"), format!("# {source}\n"));
    }
    temp
}

#[test]
fn the_highest_source_wins_and_every_hidden_document_is_reported_with_both_paths() {
    let temp = three();
    let catalog = Catalog::builder(Dialect::LILY)
        .source(Source::project(temp.at("project")))
        .source(Source::named("claude", temp.at("claude")))
        .source(Source::bundled(*EMBEDDED))
        .source(Source::user(temp.at("user")))
        .load();
    let plan = catalog.get("plan").unwrap();
    assert_eq!(
        (&*plan.source, plan.path.clone()),
        ("project", Some(temp.at("project/plan/SKILL.md")))
    );
    let conflict = |path: &str| ("precedence_conflict", path.to_owned());
    assert_eq!(
        reported(&catalog, temp.path()),
        [
            conflict("bundled:plan"),
            conflict("user/plan/SKILL.md"),
            conflict("claude/plan/SKILL.md")
        ]
    );
    let winner = temp.at("project/plan/SKILL.md").display().to_string();
    assert!(
        catalog
            .diagnostics()
            .iter()
            .all(|diagnostic| diagnostic.message.contains(&winner))
    );
}

#[test]
fn the_program_sets_the_order() {
    let temp = three();
    let of = |order: &[&'static str]| {
        let catalog = Catalog::builder(Dialect::LILY)
            .source(Source::user(temp.at("user")))
            .source(Source::named("claude", temp.at("claude")))
            .source(Source::project(temp.at("project")))
            .order(order.iter().copied())
            .load();
        catalog.get("plan").unwrap().source.to_string()
    };
    assert_eq!(of(&[]), "project");
    assert_eq!(of(&["project", "user"]), "user");
    assert_eq!(of(&["project", "user", "claude"]), "claude");
    assert_eq!(of(&["claude", "nobody"]), "claude");
}

#[test]
fn an_embedded_document_is_read_and_bundles_no_files() {
    let builder = || Catalog::builder(Dialect::LILY).source(Source::bundled(*EMBEDDED));
    let off = builder().load();
    assert_eq!((ids(&off).len(), codes(&off)), (0, vec!["disabled"]));
    let catalog = builder().enabled(["plan"]).load();
    let entry = catalog.get("plan").unwrap();
    assert_eq!((&*entry.doc().body, entry.path.as_deref()), ("", None));
    assert_eq!(catalog.read("plan").unwrap(), EMBEDDED[0]);
    assert_eq!(catalog.resources("plan").unwrap(), [""; 0]);
    assert!(
        catalog
            .resource("plan", "a")
            .unwrap_err()
            .to_string()
            .contains("`a`")
    );
}

#[test]
fn a_missing_folder_is_a_warning_and_an_error_if_required() {
    let temp = Temp::new();
    temp.standard("here/a");
    let builder = |source: Source| {
        let here = Source::project(temp.at("here"));
        Catalog::builder(Dialect::AGENT_SKILLS)
            .source(source)
            .source(here)
    };
    let gone = || Source::user(temp.at("gone"));
    let catalog = builder(gone()).try_load().unwrap();
    assert_eq!(
        (ids(&catalog), codes(&catalog)),
        (vec!["a".to_owned()], vec!["missing_root"])
    );
    assert_eq!(catalog.diagnostics()[0].severity, Severity::Warning);

    let LoadError::Required {
        source_name, path, ..
    } = builder(gone().required()).try_load().unwrap_err()
    else {
        panic!("another error");
    };
    assert_eq!(
        (source_name, path),
        ("user".to_owned(), temp.at("gone").display().to_string())
    );
    let catalog = builder(gone().required()).load();
    assert_eq!(
        (ids(&catalog), codes(&catalog)),
        (vec!["a".to_owned()], vec!["missing_root"])
    );
    assert_eq!(catalog.diagnostics()[0].severity, Severity::Error);

    // a file is not a folder
    temp.write("file", "");
    let catalog = builder(Source::user(temp.at("file"))).load();
    assert_eq!(codes(&catalog), ["missing_root"]);
    assert!(codes(&builder(gone().discovered()).load()).is_empty());
}

#[test]
fn a_path_may_begin_at_home() {
    let temp = Temp::new();
    temp.write(".agent/skills/plan/SKILL.md", "# Plan\n");
    let builder = || Catalog::builder(Dialect::LILY).source(Source::user_home());
    let host = TestHost {
        home: Some(temp.path().to_owned()),
        ..TestHost::default()
    };
    assert_eq!(ids(&builder().host(host).load()), ["plan"]);
    let homeless = builder().host(TestHost::default()).load();
    assert_eq!(
        (ids(&homeless).len(), codes(&homeless)),
        (0, vec!["missing_root"])
    );
}

#[test]
fn similar_ids_collide_within_a_source_depending_on_its_dialect() {
    let temp = Temp::new();
    let cafe = ["caf\u{e9}", "cafe\u{301}"];
    for folder in ["plan", "Plan", "other", cafe[0], cafe[1]] {
        temp.write(&format!("{folder}/SKILL.md"), "# It\n");
    }
    if std::fs::read_dir(temp.path()).unwrap().count() < 5 {
        println!("skipped: this file system does not distinguish these names");
        return;
    }
    let catalog = project(&temp, Dialect::LILY).load();
    assert_eq!(ids(&catalog), ["other"]);
    let duplicate = |folder: &str| ("duplicate_id", format!("{folder}/SKILL.md"));
    assert_eq!(
        reported(&catalog, temp.path()),
        [
            duplicate(cafe[1]),
            duplicate(cafe[0]),
            duplicate("Plan"),
            duplicate("plan")
        ]
    );
    assert!(
        catalog
            .diagnostics()
            .iter()
            .all(|diagnostic| diagnostic.severity == Severity::Error)
    );
    assert!(catalog.diagnostics()[2].message.contains("plan/SKILL.md"));

    let first = project(&temp, Dialect::LILY.with_collision(CollisionPolicy::First)).load();
    assert_eq!(ids(&first), ["Plan", cafe[1], "other"]);
    assert_eq!(
        reported(&first, temp.path()),
        [duplicate(cafe[0]), duplicate("plan")]
    );
}

#[test]
fn a_lower_source_does_not_replace_a_broken_document_of_a_higher_one() {
    let temp = Temp::new();
    temp.write("user/plan/SKILL.md", "# User's\n");
    temp.write("user/other/SKILL.md", "# Other\n");
    let big = format!("# Big\n{}", " ".repeat(2 << 20));
    let spoiled: [(&str, &[u8], &str); 4] = [
        (
            "no frontmatter end",
            b"---\nsummary: x\n",
            "malformed_frontmatter",
        ),
        ("no text", b"\xff", "bad_utf8"),
        ("too large", big.as_bytes(), "too_large"),
        (
            "other system",
            b"---\neligibility:\n  os: [plan9]\n---\n",
            "ineligible",
        ),
    ];
    for (what, bytes, code) in spoiled {
        temp.write("project/plan/SKILL.md", bytes);
        let catalog = Catalog::builder(Dialect::LILY)
            .source(Source::user(temp.at("user")))
            .source(Source::project(temp.at("project")))
            .load();
        assert_eq!(ids(&catalog), ["other"], "{what}");
        let codes = codes(&catalog);
        assert!(
            codes.contains(&code) && codes.contains(&"precedence_conflict"),
            "{what}: {codes:?}"
        );
    }
}

#[test]
fn discovery_reads_the_standard_folders_and_trusts_none() {
    let temp = Temp::new();
    temp.standard("home/.agent/skills/one");
    temp.standard("home/.agents/skills/two");
    temp.standard("work/.claude/skills/three");
    temp.standard("work/.claude/skills/deep/four");
    temp.standard("work/.agent/skills/one");
    let host = TestHost {
        home: Some(temp.at("home")),
        ..TestHost::default()
    };
    let catalog = Catalog::builder(Dialect::AGENT_SKILLS)
        .sources(Sources::discover(temp.at("work")))
        .host(host)
        .load();
    assert_eq!(ids(&catalog).len(), 0);
    let listed: Vec<_> = catalog
        .listed()
        .map(|entry| (&*entry.id, &*entry.source))
        .collect();
    assert_eq!(
        listed,
        [
            ("four", "project .claude"),
            ("one", "user"),
            ("one", "project"),
            ("three", "project .claude"),
            ("two", "user .agents"),
        ]
    );
    assert_eq!(codes(&catalog), ["untrusted"; 5]);
}

#[test]
fn a_broken_document_claims_its_name_and_that_of_its_folder() {
    let broken: [(&str, &str); 5] = [
        ("a required key is missing", "---\nname: plan\n---\n"),
        (
            "no YAML",
            "---\ndescription: a: b\nname: \"plan\" # it\n---\n",
        ),
        ("no end", "\u{FEFF}---\r\nname: plan\r\n"),
        (
            "a limit",
            "---\nname: plan\ndescription: d\nx: [[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]\n---\n",
        ),
        (
            "another form of the name",
            "---\nname: Plan\nversion: [1]\n---\n",
        ),
    ];
    for (what, text) in broken {
        let temp = Temp::new();
        temp.standard("user/plan")
            .standard("user/x")
            .standard("user/other");
        temp.write("project/x/SKILL.md", text);
        let catalog = Catalog::builder(Dialect::TRIGGERED)
            .source(Source::user(temp.at("user")))
            .source(Source::project(temp.at("project")))
            .load();
        assert_eq!(ids(&catalog), ["other"], "{what}");
        let hidden: Vec<_> = reported(&catalog, temp.path())
            .into_iter()
            .filter(|diagnostic| diagnostic.0 == "precedence_conflict")
            .map(|diagnostic| diagnostic.1)
            .collect();
        assert_eq!(hidden, ["user/plan/SKILL.md", "user/x/SKILL.md"], "{what}");
    }
    // text after the frontmatter is not a name
    let temp = Temp::new();
    temp.standard("user/plan");
    for (id, text) in [
        ("x", "---\na: b: c\n---\nname: plan\n"),
        ("y", "name: plan\n"),
        ("z", "---\n  name: plan\n a\n---\n"),
    ] {
        temp.write(&format!("project/{id}/SKILL.md"), text);
    }
    // neither is a part of a name
    temp.write("project/w/SKILL.md", b"---\nname: plan\xff\n---\n");
    let catalog = Catalog::builder(Dialect::TRIGGERED)
        .source(Source::user(temp.at("user")))
        .source(Source::project(temp.at("project")))
        .load();
    assert_eq!(ids(&catalog), ["plan"]);
}

#[test]
fn a_broken_document_hides_none_of_its_own_source() {
    for collision in [CollisionPolicy::Exclude, CollisionPolicy::First] {
        let temp = Temp::new();
        temp.standard("plan");
        // a copy: its name differs from that of its folder
        temp.write(
            "an-old-plan/SKILL.md",
            "---\nname: plan\ndescription: Old.\n---\n",
        );
        let dialect = Dialect::AGENT_SKILLS.with_collision(collision);
        let catalog = project(&temp, dialect).load();
        assert_eq!(ids(&catalog), ["plan"]);
        assert_eq!(codes(&catalog), ["name_mismatch"]);
    }
}

#[test]
fn an_untrusted_broken_document_claims_nothing() {
    let temp = Temp::new();
    temp.standard("user/plan").standard("user/x");
    // an empty text is trusted, and an unreadable document is not mistaken for it
    let big = " ".repeat(Dialect::TRIGGERED.limits.file + 1);
    temp.write("project/x/SKILL.md", big);
    temp.write("project/y/SKILL.md", "---\nname: plan\n---\n");
    let nothing = ContentHash::of(b"");
    let catalog = Catalog::builder(Dialect::TRIGGERED)
        .source(Source::user(temp.at("user")))
        .source(Source::project(temp.at("project")).discovered())
        .trust("x", nothing)
        .trust("plan", nothing)
        .load();
    assert_eq!(ids(&catalog), ["plan", "x"]);
}

#[test]
fn a_folder_that_is_discovered_twice_is_read_once() {
    let temp = Temp::new();
    temp.standard(".agent/skills/one")
        .standard(".claude/skills/two");
    let host = TestHost {
        home: Some(temp.path().to_owned()),
        ..TestHost::default()
    };
    let builder = || {
        // the project is the home, by another path
        let sources = Sources::discover(temp.at(".claude/.."));
        let builder = Catalog::builder(Dialect::AGENT_SKILLS).sources(sources);
        builder.host(host.clone())
    };
    let listed = |catalog: &Catalog| {
        let listed = catalog.listed();
        listed
            .map(|entry| {
                (
                    entry.id.to_string(),
                    entry.source.to_string(),
                    entry.trusted,
                )
            })
            .collect::<Vec<_>>()
    };
    let of = |id: &str, source: &str, trusted| (id.to_owned(), source.to_owned(), trusted);
    let found = builder().load();
    assert_eq!(
        listed(&found),
        [
            of("one", "project", false),
            of("two", "project .claude", false)
        ]
    );
    // a folder that the program names is trusted although it is also discovered
    let named = Source::named("ours", temp.at(".agent/skills"));
    let catalog = builder().source(named).load();
    assert_eq!(
        listed(&catalog),
        [of("one", "ours", true), of("two", "project .claude", false)]
    );
    assert_eq!(codes(&catalog), ["untrusted"]);
}

//! Selections from a catalog: what a model is shown, at ten and at ten thousand documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::manifest::selection::{
    Activations, Exposure, Query, SelectionPolicy, Tier, tokens,
};
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::prelude::*;
use std::fs;

/// Sums numbers.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sums", manifest = "sums/SKILL.md", dialect = TRIGGERED, actions(Sum))]
struct Sums {
    total: f64,
}

/// Add a number to the sum.
#[action]
fn sum(sums: &mut Sums, number: f64) -> f64 {
    sums.total += number;
    sums.total
}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Sums],
        allow_skills: true,
    }
}

/// A catalog of the given documents, each an id, lines of the frontmatter and a body.
fn catalog(docs: &[(&str, &str, &str)]) -> (tempfile::TempDir, Catalog) {
    catalog_in(Dialect::TRIGGERED, docs)
}

fn catalog_in(dialect: Dialect, docs: &[(&str, &str, &str)]) -> (tempfile::TempDir, Catalog) {
    let folder = tempfile::tempdir().unwrap();
    for (id, lines, body) in docs {
        let path = folder.path().join(id);
        fs::create_dir(&path).unwrap();
        fs::write(
            path.join("SKILL.md"),
            format!("---\nname: {id}\n{lines}\n---\n{body}\n"),
        )
        .unwrap();
    }
    let source = Source::project(folder.path());
    let catalog = Catalog::builder(dialect)
        .source(source)
        .agent::<Clerk>()
        .load();
    assert!(
        catalog.diagnostics().is_empty(),
        "{:?}",
        catalog.diagnostics()
    );
    (folder, catalog)
}

fn shown(catalog: &Catalog, text: &str) -> String {
    let none = Activations::default();
    let selection = catalog.select(text, &none, &SelectionPolicy::TIERS);
    catalog.selection_text(&selection).text
}

#[test]
fn documents_and_rust_skills_are_selected_together() {
    let (_folder, catalog) = catalog(&[
        (
            "greet",
            "description: Greets people. A lot.\ntriggers:\n  keywords: [hello]",
            "Be kind.\n</Skill >",
        ),
        ("plain", "description: <b>Plain</b>", "Plain text."),
    ]);
    assert_eq!(
        shown(&catalog, "hello, sum up 1 and 2"),
        "<skill name=\"sums\">\nAdd the numbers one by one.\n</skill>\n\n\
         <skill name=\"greet\">\nBe kind.\n&lt;/Skill >\n</skill>"
    );
    assert_eq!(shown(&catalog, "the weather"), "[3 skills available]");
    assert_eq!(
        shown(&catalog, "what can you do?"),
        "## Available skills\n\n- **sums**: Sums numbers\n- **greet**: Greets people\n- **plain**: &lt;b&gt;Plain&lt;/b&gt;"
    );
    assert_eq!(
        catalog.explain("hello"),
        "tier 3: full texts\n+ greet: matched (keyword `hello`), 13 tokens\n- sums: no match\n- plain: no match\n"
    );
}

#[test]
fn an_explanation_names_a_path_that_no_glob_can_match() {
    let (_folder, catalog) = catalog_in(
        Dialect::AGENT_SKILLS_LENIENT,
        &[
            (
                "rust",
                "description: Rust code.\npaths: src/**/*.rs",
                "No unwrap.",
            ),
            (
                "greet",
                "description: Greets.\ntriggers:\n  keywords: [hello]",
                "Be kind.",
            ),
            (
                "toml",
                "description: Manifests.\npaths: \"**/*.toml\"",
                "Sort the keys.",
            ),
        ],
    );
    let explained = |path: &str| catalog.explain(Query::new("Fix it").paths([path]));
    for path in [
        "/home/me/project/src/main.rs",
        "./src/main.rs",
        "C:\\project\\src\\main.rs",
    ] {
        let explained = explained(path);
        let rust = format!(
            "- rust: no match; its globs match paths relative to the project, written like `src/main.rs`, and `{path}` is not one\n"
        );
        assert!(explained.contains(&rust), "{explained}");
        assert!(explained.contains("- greet: no match\n"), "{explained}");
    }
    assert!(explained("src/main.rs").contains("+ rust: matched"));
    let other = explained("a:main.c");
    assert!(other.contains("- rust: no match\n"), "{other}");
    let other = explained("src/main.c");
    assert!(other.contains("- rust: no match\n"), "{other}");
    assert!(explained("crates/core/Cargo.toml").contains("+ toml: matched"));
    let absolute = explained("/home/me/project/Cargo.toml");
    assert!(
        absolute.contains("- toml: no match; its globs"),
        "{absolute}"
    );
}

#[test]
fn a_document_that_cannot_be_read_any_more_is_named_and_the_others_shown() {
    let triggers = "description: d\ntriggers:\n  keywords: [hello]";
    let (folder, catalog) = catalog(&[("a", triggers, "A."), ("b", triggers, "B.")]);
    fs::remove_file(folder.path().join("a/SKILL.md")).unwrap();
    let none = Activations::default();
    let selection = catalog.select("hello", &none, &SelectionPolicy::TIERS);
    let text = catalog.selection_text(&selection);
    assert_eq!(text.text, "<skill name=\"b\">\nB.\n</skill>");
    assert_eq!(text.unreadable.len(), 1);
    assert_eq!(text.unreadable[0].0, "a");
}

#[test]
fn exposures_are_set_where_the_catalog_is_built() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["pinned", "manual"] {
        fs::create_dir(folder.path().join(id)).unwrap();
        fs::write(
            folder.path().join(id).join("SKILL.md"),
            format!("---\nname: {id}\ndescription: d\n---\nText of {id}.\n"),
        )
        .unwrap();
    }
    let catalog = Catalog::builder(Dialect::TRIGGERED)
        .source(Source::project(folder.path()))
        .exposure("pinned", Exposure::Pinned)
        .exposure("manual", Exposure::Manual)
        .load();
    assert_eq!(
        shown(&catalog, "anything"),
        "<skill name=\"pinned\">\nText of pinned.\n</skill>"
    );
}

/// The description of an offered document, of the given length.
fn described(count: usize, length: usize) -> (tempfile::TempDir, Catalog) {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..count {
        let id = format!("guide-{number}");
        fs::create_dir(folder.path().join(&id)).unwrap();
        let description = format!(
            "Guide number {number} to topic{number}. {}",
            "More words. ".repeat(length / 12)
        );
        fs::write(
            folder.path().join(&id).join("SKILL.md"),
            format!("---\nname: {id}\ndescription: {description}\n---\n"),
        )
        .unwrap();
    }
    let catalog = Catalog::builder(Dialect::NAMED)
        .source(Source::project(folder.path()))
        .load();
    (folder, catalog)
}

#[test]
fn the_tool_and_the_prompt_stay_within_the_budget_at_any_number_of_documents() {
    for (count, length) in [(20, 1_000), (1_000, 200)] {
        let (_folder, mut catalog) = described(count, length);
        let tool = catalog.skill_tool().unwrap();
        let size = tokens(
            tool.name.len() + tool.description.len() + tool.input_schema().to_string().len(),
        );
        let prompt = catalog.prompt().unwrap();
        println!(
            "{count} documents: the tool {size} tokens, the prompt {} tokens",
            tokens(prompt.len())
        );
        assert!(size < 2_000 && tokens(prompt.len()) <= 2_000);
        assert!(
            tool.description
                .contains("<skill name=\"guide-0\">Guide number 0 to topic0")
        );
        let (first, search) = (tool.description.to_owned(), catalog.search_tool().unwrap());
        assert_eq!(
            (search.name, catalog.search_tool().unwrap().hints.read_only),
            ("search_skills", true)
        );
        let found = catalog.call_search_tool(r#"{"query":"a guide to topic17"}"#);
        assert!(
            found.starts_with("<skills>\n  <skill name=\"guide-17\">Guide number 17"),
            "{found}"
        );
        assert_eq!(
            catalog.call_search_tool(r#"{"query":"zebra"}"#),
            "No skill matches 'zebra'. Search with other words."
        );
        assert!(
            catalog
                .call_search_tool(r#"{"q":"zebra"}"#)
                .starts_with("Error: the arguments of `search_skills` are wrong: ")
        );
        assert!(catalog.reload().is_empty());
        assert_eq!(catalog.skill_tool().unwrap().description, first); // the same bytes
    }
    let (_folder, catalog) = described(20, 100);
    assert!(
        catalog.skill_tool().unwrap().input_schema()["properties"]["skill_name"]["enum"].is_array()
    );
    assert!(catalog.search_tool().is_none());
}

#[test]
fn a_search_is_limited_and_offers_only_what_a_model_may_load() {
    let (_folder, catalog) = described(100, 300);
    let found = catalog.call_search_tool(r#"{"query":"guide number topic words"}"#);
    assert!(found.matches("<skill ").count() <= 10, "{found}");
    let (_folder, catalog) = catalog_with_sums();
    let found = catalog.call_search_tool(r#"{"query":"sum up the numbers"}"#);
    assert!(!found.contains("sums"), "{found}"); // a Rust skill is no document
    let policy = SelectionPolicy::LAZY_TOOL;
    let none = Activations::default();
    let selection = catalog.select("", &none, &policy);
    assert!(
        selection
            .items
            .iter()
            .all(|item| item.tier == Tier::Registry)
    );
}

fn catalog_with_sums() -> (tempfile::TempDir, Catalog) {
    catalog(&[("plain", "description: d", "Plain.")])
}

#[test]
fn the_text_of_a_selection_stays_within_its_budget() {
    let long = "Text with 'quotes' & more. ".repeat(40);
    let triggers = "description: It's 'quoted' & long\ntriggers:\n  keywords: [hello]";
    let (folder, catalog) = catalog(&[
        ("a", triggers, &long),
        ("b", triggers, "Short."),
        ("c", triggers, ""),
    ]);
    for number in 0..60 {
        fs::write(
            folder.path().join("b").join(format!("file-{number}.md")),
            "",
        )
        .unwrap();
    }
    fs::write(
        folder.path().join("c/SKILL.md"),
        format!("---\nname: c\n{triggers}\n---\n{}\n", long.repeat(100)),
    )
    .unwrap();
    let none = Activations::default();
    for budget in (0..1_000).step_by(7) {
        for text in ["hello", "what can you do?", "list all skills", "a"] {
            for policy in [
                SelectionPolicy::TIERS,
                SelectionPolicy::INDEX,
                SelectionPolicy::LAZY_TOOL,
            ] {
                let selection = catalog.select(text, &none, &policy.budget(budget));
                let shown = catalog.selection_text(&selection);
                let notice = tokens(96); // the sentence that nothing fits
                assert!(
                    tokens(shown.text.len()) <= budget.max(notice),
                    "{budget} {text}: {}",
                    shown.text
                );
            }
        }
    }
    let selection = catalog.select("hello", &none, &SelectionPolicy::TIERS.budget(800));
    assert_eq!(catalog.selection_text(&selection).over_budget, ["c"]);
}

#[test]
fn exposures_hold_in_the_tool_and_in_the_prompt() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["a", "manual", "named"] {
        fs::create_dir(folder.path().join(id)).unwrap();
        fs::write(
            folder.path().join(id).join("SKILL.md"),
            format!("---\nname: {id}\ndescription: About {id}.\n---\n"),
        )
        .unwrap();
    }
    let catalog = Catalog::builder(Dialect::TRIGGERED)
        .source(Source::project(folder.path()))
        .exposure("manual", Exposure::Manual)
        .exposure("named", Exposure::NameOnly)
        .exposure("naned", Exposure::Pinned)
        .load();
    let messages: Vec<_> = catalog
        .diagnostics()
        .iter()
        .map(|diagnostic| (&*diagnostic.message, diagnostic.help.as_deref()))
        .collect();
    assert_eq!(
        messages,
        [(
            "`exposure` names `naned`, but no document or skill has that id",
            Some("did you mean `named`?")
        )]
    );
    let tool = catalog.skill_tool().unwrap();
    assert_eq!(
        tool.description,
        "Load and invoke a specialized skill. <skills>\n  <skill name=\"a\">About a.</skill>\n  <skill name=\"named\"/>\n</skills>"
    );
    let prompt = catalog.prompt().unwrap();
    assert!(
        !prompt.contains("manual/SKILL.md") && !prompt.contains("About named"),
        "{prompt}"
    );
    assert!(
        !catalog
            .call_search_tool(r#"{"query":"manual"}"#)
            .contains("<skill")
    );
}

#[test]
fn a_document_counts_more_than_the_skill_that_was_made_from_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sums")).unwrap();
    fs::write(
        folder.path().join("sums/SKILL.md"),
        "---\nname: sums\ndescription: Sums.\ntriggers:\n  keywords: [sum]\n---\nEdited.\n",
    )
    .unwrap();
    let builder = Catalog::builder(Dialect::TRIGGERED).source(Source::project(folder.path()));
    let catalog = builder.agent::<Clerk>().load();
    let expected = if catalog.get("sums").is_some() {
        "Edited."
    } else {
        "Add the numbers one by one."
    };
    assert_eq!(
        shown(&catalog, "add a sum"),
        format!("<skill name=\"sums\">\n{expected}\n</skill>")
    );
}

#[test]
fn a_refused_request_says_why() {
    let (_folder, catalog) = catalog_with_sums();
    let mut activations = Activations::default();
    activations
        .activate("sums", &SelectionPolicy::INDEX)
        .unwrap();
    let selection = catalog.select("plain", &activations, &SelectionPolicy::INDEX);
    assert_eq!(
        catalog.selection_text(&selection).text,
        "Skill 'plain' is not shown: `sums` is active, and one is allowed for each request."
    );
}

#[test]
fn the_configuration_of_the_program_limits_a_selection() {
    let sources = skill_agent::manifest::Sources::from_config("max_skills: 5\n", "").unwrap();
    let catalog = Catalog::builder(Dialect::TRIGGERED).sources(sources).load();
    assert_eq!(catalog.configured(SelectionPolicy::TIERS).max_skills, 5);
    let catalog = Catalog::builder(Dialect::TRIGGERED).load();
    assert_eq!(catalog.configured(SelectionPolicy::TIERS).max_skills, 3);
}

/// Is for people.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "quiet",
    manifest = "quiet/SKILL.md",
    dialect = AGENT_SKILLS_LENIENT
)]
struct Quiet {}

#[test]
fn a_skill_has_no_instructions_from_a_document_that_is_not_for_models() {
    assert_eq!(Quiet::SPEC.instructions, None);
    assert!(Quiet::SPEC.triggers.keywords.is_empty());
    assert_eq!(Quiet::SPEC.description, Some("Is for people."));
}

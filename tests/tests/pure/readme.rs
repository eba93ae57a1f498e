//! Checks the README, the guides and the documentation of the macros: the quoted compiler error, the program of the front page,
//! the tables of options and the examples that embed documents.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The second skill that the README describes, which clashes with the first.
const ABACUS: &str = r#"
/// Counts on rods.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "abacus", state_key = "calculator")]
pub struct Abacus {}
"#;

#[test]
fn the_readme_quotes_the_error_that_rustc_prints() {
    let readme = read("README.md");
    let code = block(&readme, "rust").replace("[Calculator]", "[Calculator, Abacus]") + ABACUS;
    let printed = check("readme", &code, &[]);
    let (_, report) = readme.split_once("`cargo check` reports:").unwrap();
    let shown = block(report, "text");
    assert!(
        printed.starts_with(shown),
        "the README shows:\n{shown}\nrustc prints:\n{printed}"
    );
}

#[test]
fn the_front_page_of_the_documentation_has_the_first_program_of_the_guide_to_skills() {
    let page: String = read("skill-agent/src/lib.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned() + "\n")
        .collect();
    assert_eq!(block(&page, ""), block(&read("docs/skills.md"), "rust"));
}

#[test]
fn the_tables_of_options_are_complete() {
    let source = |file: &str| read(&format!("skill-macros/src/parse/{file}.rs"));
    let options = |file: &str| declared_options(&source(file));
    let (mut skill, action) = (options("skill"), options("action"));
    skill.splice(1..1, options("tools")); // after the options of the struct
    let agent = vec![declared_keys(&source("agent/keys"))];
    let documented = |file: &str| tables(&read(&format!("skill-macros/src/docs/{file}.md")));
    assert_eq!(documented("skill"), skill);
    assert_eq!(documented("action"), action);
    assert_eq!(documented("agent"), agent);
    let mut configuration = options("configuration");
    configuration.reverse(); // the documentation begins with the fields
    assert_eq!(documented("configuration"), configuration);
    for elsewhere in ["README.md", "docs/skills.md"] {
        assert!(
            tables(&read(elsewhere)).is_empty(),
            "{elsewhere} repeats a table"
        );
    }
}

/// A skill that the example of the guide to documents uses but does not define.
const NOTES: &str = r#"
/// Keeps notes.
#[derive(skill_agent::Skill, Clone, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
#[skill(name = "notes")]
pub struct Notes {}

fn main() {}
"#;

/// rustdoc cannot compile these examples, because they read documents next to their source file.
#[test]
fn the_examples_that_embed_documents_compile() {
    let plan = ("skills/plan_compiler", "---\ncommand: plan\n---\n# Plan\n");
    let review = "---\nname: review\ndescription: Review a change.\n---\nRead it twice.\n";
    let (skills, guides) = (("skills/review", review), ("guides/review", review));
    let example = |file: &str| block(&read(file), "rs").to_owned();
    let in_main = |code: String| format!("#![allow(dead_code)]\nfn main() {{{code}}}");
    let one = in_main(example("skill-macros/src/docs/include_skill.md"));
    let many = in_main(example("skill-macros/src/docs/include_skills.md"));
    let guide = format!(
        "#![allow(dead_code)]\n{}{NOTES}",
        example("docs/documents.md")
    );
    assert_eq!(check("include_skill", &one, &[plan]), "");
    assert_eq!(check("include_skills", &many, &[skills]), "");
    assert_eq!(check("documents", &guide, &[plan, guides]), "");
    // a missing folder is an error, which shows that the folders above were read
    assert!(check("no_documents", &guide, &[plan]).contains("guides"));
}

/// Returns the output of `cargo check` for a package `app` with documents next to its source.
fn check(name: &str, code: &str, documents: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let manifest = format!(
        "[package]\nname = \"app\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         skill-agent = {{ path = {:?}, features = [\"chat\"] }}\nschemars = \"1\"\nserde = \"1\"\n\
         serde_json = \"1\"\ntokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n",
        root().join("skill-agent")
    );
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/main.rs"), code).unwrap();
    for (place, text) in documents {
        let place = folder.join("src").join(place);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("SKILL.md"), text).unwrap();
    }
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap(); // pins the versions, so that no network is needed
    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--quiet",
            "--offline",
            "--color=never",
            "--target-dir",
        ])
        // the UI tests have compiled the dependencies there, or will find them there
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild"))
        .current_dir(&folder)
        .output()
        .unwrap();
    String::from_utf8(output.stderr).unwrap()
}

/// Returns the first code block of the language.
fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let begin = format!("```{language}\n");
    let (_, rest) = text.split_once(&begin).expect("a block of this language");
    rest.split_once("```").expect("the end of the block").0
}

/// Returns the options that each `options!` in the source of a parser declares, sorted: `name: Type` or `field as "name": Type`.
fn declared_options(source: &str) -> Vec<Vec<String>> {
    let declarations = source.split("\noptions! {").skip(1);
    declarations
        .map(|declaration| {
            let (_, fields) = declaration.split_once(" {\n").expect("the fields begin");
            let (fields, _) = fields.split_once("\n    }").expect("the fields end");
            sorted(fields.lines().map(|field| {
                let (name, _) = field.split_once(':').expect("a field has a type");
                match name.split_once(" as ") {
                    Some((_, name)) => name.trim_matches('"'),
                    None => name.trim(),
                }
            }))
        })
        .collect()
}

/// Returns the keys of `agent!` in the source of its parser, sorted.
fn declared_keys(source: &str) -> Vec<String> {
    let (_, keys) = source.split_once("const KEYS").expect("the keys begin");
    let (keys, _) = keys.split_once("\n];").expect("the keys end");
    let names = keys.split(['(', '{']).filter_map(|part| {
        let part = part.trim_start();
        let part = part.strip_prefix("name: ").unwrap_or(part);
        part.strip_prefix('"')?.split('"').next()
    });
    let is_key = |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    sorted(names.filter(is_key))
}

/// Returns the options in the first column of each table of options, sorted.
fn tables(text: &str) -> Vec<Vec<String>> {
    let tables = text
        .split("\n\n")
        .filter(|part| part.starts_with("| option") || part.starts_with("| key"));
    tables
        .map(|table| {
            let cells = table.lines().filter_map(|line| line.strip_prefix("| `"));
            sorted(cells.map(|cell| {
                cell.split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next()
                    .unwrap_or_default()
            }))
        })
        .collect()
}

fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

//! Verdicts: exit codes, lines of JSON, and output for people.

use crate::support::{Folder, Run, program, valid, verdicts};
use serde_json::json;
use std::io::Read;
use std::process::Stdio;

const COLON: &str = "---\nname: a\ndescription: see: this\n---\n";

#[test]
fn the_exit_code_says_whether_all_are_valid() {
    let folder = Folder::of(&[("a/SKILL.md", COLON), ("b/SKILL.md", &valid("b"))]);
    assert_eq!(folder.run(&["validate", "b"]).code, 0);
    assert_eq!(folder.run(&["validate", "b", "a"]).code, 1);
    for missing in [
        &["validate", "gone"][..],
        &["validate", "a", "gone", "b"],
        &["validate", "--json", "b/SKILL.md/x"],
        &["list", "gone"],
        &["prompt", "gone"],
        &["show", "b", "gone"],
    ] {
        assert_eq!(folder.run(missing).code, 2, "{missing:?}");
    }
    for wrong in [
        &["validate"][..],
        &["validate", "--dialect", "none", "b"],
        &["validate", "--jsn", "b"],
        &["check", "b"],
        &[],
    ] {
        let run = folder.run(wrong);
        assert_eq!((run.code, &*run.out), (2, ""), "{wrong:?}");
        assert!(run.err.contains("Usage") || run.err.contains("possible values"));
    }
}

#[test]
fn json_is_one_line_for_each_document() {
    let folder = Folder::of(&[("a/SKILL.md", COLON), ("b/SKILL.md", &valid("b"))]);
    let run = folder.run(&["validate", "--json", "b/SKILL.md", "a/SKILL.md", "gone"]);
    assert_eq!((run.code, &*run.err), (2, ""));
    let lines = run.lines();
    assert_eq!(
        lines[..2],
        [
            json!({"path": "b/SKILL.md", "ok": true, "id": "b", "diagnostics": []}),
            json!({"path": "a/SKILL.md", "ok": false, "id": null, "diagnostics": [{
                "code": "malformed_frontmatter",
                "severity": "error",
                "line": 3,
                "column": 17,
                "message": "the frontmatter is not valid YAML: mapping values are not allowed in this context",
                "help": "put the value of `description` in quotes: it contains `: `",
            }]}),
        ]
    );
    assert_eq!(lines[2]["diagnostics"][0]["code"], "unreadable");
    assert_eq!(lines[2]["diagnostics"][0]["line"], json!(null));
    assert_eq!(lines[2]["diagnostics"][0]["help"], json!(null));
    assert_eq!(lines.len(), 3);
}

#[test]
fn a_mistake_is_shown_with_its_line_position_and_help() {
    let folder = Folder::of(&[("a/SKILL.md", COLON)]);
    assert_eq!(
        folder.run(&["validate", "a/SKILL.md"]).out,
        "\
error[malformed_frontmatter]: the frontmatter is not valid YAML: mapping values are not allowed in this context
 --> a/SKILL.md:3:17
  |
3 | description: see: this
  |                 ^
  |
  = help: put the value of `description` in quotes: it contains `: `

1 document: 0 valid, 1 invalid (1 error, 0 warnings)
"
    );
}

#[test]
fn a_key_of_another_dialect_is_reported_with_the_dialect() {
    let text = "---\nname: a\ndescription: d\nargument-hint: '[issue]'\ndisable-model-invocation: true\n---\n";
    let folder = Folder::of(&[("a/SKILL.md", text)]);
    let keys = "the keys are `name`, `description`, `license`, `compatibility`, `metadata`, `allowed-tools`";
    let shown = folder.run(&["validate", "a/SKILL.md"]).out;
    let help = format!("  = help: {keys}; the dialect `AGENT_SKILLS_LENIENT` takes it\n");
    assert_eq!(shown.matches(&help).count(), 2, "{shown}");
    let lenient = [
        "validate",
        "--dialect",
        "AGENT_SKILLS_LENIENT",
        "a/SKILL.md",
    ];
    assert!(folder.run(&lenient).out.contains("1 valid"));
}

#[test]
fn several_mistakes_are_shown_together_each_with_its_mark() {
    let text = "---\nname: Bad Name # a\nlicnese: MIT\ndescription: d\nname: z\n---\n";
    let folder = Folder::of(&[("a/SKILL.md", text), ("b/SKILL.md", &valid("b"))]);
    assert_eq!(
        folder.run(&["validate", "a/SKILL.md", "b"]).out,
        "\
error[unknown_field]: `licnese` is not a key of AGENT_SKILLS
 --> a/SKILL.md:3:1
  |
3 | licnese: MIT
  | ^^^^^^^
  |
  = help: did you mean `license`?

error[duplicate_key]: `name` is repeated; it first appears in line 2
 --> a/SKILL.md:5:1
  |
5 | name: z
  | ^^^^

error[name_mismatch]: the name `z` differs from the name of its folder, `a`
 --> a/SKILL.md:5:7
  |
5 | name: z
  |       ^
  |
  = help: give both the same name

2 documents: 1 valid, 1 invalid (3 errors, 0 warnings)
"
    );
}

#[test]
fn a_warning_is_shown_and_the_document_is_valid() {
    let folder = Folder::of(&[("a/SKILL.md", "---\nname: b\ndescription: d\n---\n# B\n")]);
    let run = folder.run(&["validate", "--dialect", "agent_skills_lenient", "a"]);
    assert_eq!(run.code, 0);
    assert!(
        run.out.starts_with("warning[name_mismatch]: "),
        "{}",
        run.out
    );
    assert!(
        run.out
            .ends_with("\n1 document: 1 valid, 0 invalid (0 errors, 1 warning)\n")
    );
}

#[test]
fn dialects_differ_and_their_names_ignore_case() {
    let plan = "---\ncommand: plan\n---\nPlan.\n";
    let folder = Folder::of(&[("plan_it/SKILL.md", plan)]);
    for (dialect, code) in [("LILY", 0), ("lily", 0), ("Agent_Skills", 1), ("NAMED", 1)] {
        let run = folder.run(&["validate", "--dialect", dialect, "--json", "plan_it"]);
        assert_eq!(run.code, code, "{dialect}");
    }
    let run = folder.run(&["validate", "--dialect", "lily", "--json", "plan_it"]);
    assert_eq!(run.lines()[0]["id"], "plan_it");
}

#[test]
fn the_current_folder_is_compared_by_its_real_name() {
    let folder = Folder::of(&[("a/SKILL.md", &valid("a")), ("b/SKILL.md", &valid("a"))]);
    for (place, code) in [("a", 0), ("b", 1)] {
        for path in [".", "SKILL.md", "./SKILL.md"] {
            let place = folder.path().join(place);
            let run = Run::of(program().args(["validate", path]).current_dir(place));
            assert_eq!(run.code, code, "{path}: {}", run.out);
        }
    }
}

#[test]
fn untrusted_text_cannot_control_the_terminal() {
    let text = "---\nname: a\ndescription: \"\u{1b}]0;x\u{7} \u{202e}\u{200b}\u{9b}31m\"\n---\n";
    let folder = Folder::of(&[]);
    let name = "a\u{1b}[31m\u{202e}b";
    folder.write(&format!("{name}/SKILL.md"), text.as_bytes());
    let hidden = |text: &str| {
        text.chars()
            .any(|c| (c.is_control() && c != '\n') || matches!(c, '\u{200b}' | '\u{202e}'))
    };
    let run = folder.run(&["validate", "."]);
    assert!(
        run.out.contains("a\\u{1b}[31m\\u{202e}b/SKILL.md"),
        "{}",
        run.out
    );
    assert!(!hidden(&run.out) && run.code == 1, "{}", run.out);
    let run = folder.run(&["validate", "--json", "."]);
    assert!(!hidden(&run.out), "{}", run.out);
    assert_eq!(run.lines()[0]["path"], format!("./{name}/SKILL.md"));
    let run = folder.run(&["new", "\u{202e}x", "y\u{1b}"]);
    assert!(!hidden(&run.err) && run.code == 2, "{}", run.err);
}

#[test]
fn an_id_that_looks_different_is_invalid_as_in_a_catalog() {
    let folder = Folder::of(&[("deploy\u{3164}/SKILL.md", &valid("deploy\u{3164}"))]);
    folder.write("pl\u{202e}an/SKILL.md", b"# It\n");
    for (dialect, place) in [("agent_skills", "deploy\u{3164}"), ("lily", "pl\u{202e}an")] {
        let run = folder.run(&["validate", "--dialect", dialect, "--json", place]);
        let found = &run.lines()[0]["diagnostics"][0];
        assert_eq!((run.code, &run.lines()[0]["ok"]), (1, &false.into()));
        assert_eq!(found["code"], "hidden_character", "{dialect}");
    }
    let run = folder.run(&["list", "--dialect", "lily", "."]);
    assert_eq!((run.code, &*run.out), (0, ""), "{}", run.err);
    assert!(run.err.contains("`pl\\u{202e}an`"), "{}", run.err);
}

#[test]
fn long_lines_and_lists_are_cut() {
    let long = format!(
        "---\nname: a\ndescription: {}: x\n---\n",
        "y".repeat(50_000)
    );
    let keys: String = (0..500).map(|number| format!("k{number}: v\n")).collect();
    let many = format!("---\nname: b\ndescription: d\n{keys}---\n");
    let folder = Folder::of(&[("a/SKILL.md", &long), ("b/SKILL.md", &many)]);
    let run = folder.run(&["validate", "a"]);
    assert!(
        run.out.len() < 1_000 && run.out.contains("a/SKILL.md:3:50014"),
        "{}",
        run.out
    );
    let run = folder.run(&["validate", "b"]);
    assert_eq!(run.out.matches("error[unknown_field]").count(), 20);
    assert!(run.out.contains("and 480 more in b/SKILL.md\n"));
    assert!(run.out.ends_with("(500 errors, 0 warnings)\n"));
    let run = folder.run(&["validate", "--json", "b"]);
    assert_eq!(run.lines()[0]["diagnostics"].as_array().unwrap().len(), 500);
}

#[test]
fn colors_are_used_on_terminals_and_on_request() {
    let folder = Folder::of(&[("a/SKILL.md", COLON)]);
    let colored = |arguments: &[&str]| folder.run(arguments).out.contains('\u{1b}');
    assert!(!colored(&["validate", "a"]));
    assert!(colored(&["validate", "a", "--color", "always"]));
    assert!(!colored(&["--color", "never", "validate", "a"]));
    let asked = Run::of(
        program()
            .args(["validate", "--color", "always", "a"])
            .current_dir(folder.path())
            .env("NO_COLOR", "1"),
    );
    assert!(asked.out.contains('\u{1b}'), "what is asked for wins");
}

#[test]
fn a_closed_pipe_ends_the_program_silently() {
    let folder = Folder::of(&[]);
    for number in 0..2_000 {
        folder.write(&format!("s{number}/SKILL.md"), COLON.as_bytes());
    }
    let mut child = program()
        .args(["validate", "."])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the output exceeds the buffer of a pipe
    let mut beginning = [0; 100];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut beginning).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(output.stderr, b"");
}

#[test]
fn bytes_of_any_kind_get_a_verdict() {
    let folder = Folder::of(&[]);
    folder.write(
        "bom/SKILL.md",
        b"\xEF\xBB\xBF---\nname: bom\ndescription: d\n---\n",
    );
    folder.write(
        "crlf/SKILL.md",
        b"---\r\nname: crlf\r\ndescription: d\r\n---\r\n",
    );
    folder.write("empty/SKILL.md", b"");
    folder.write("latin/SKILL.md", b"---\nname: caf\xE9\n---\n");
    folder.write("nul/SKILL.md", b"\0\0\0");
    let large = std::fs::File::create(folder.path().join("empty/large.md")).unwrap();
    large.set_len(100 << 20).unwrap();
    let run = folder.run(&["validate", "--json", ".", "empty/large.md"]);
    assert_eq!(
        run.verdicts(),
        verdicts(&[
            ("./bom/SKILL.md", "ok"),
            ("./crlf/SKILL.md", "ok"),
            ("./empty/SKILL.md", "missing_frontmatter"),
            ("./latin/SKILL.md", "bad_utf8"),
            ("./nul/SKILL.md", "missing_frontmatter"),
            ("empty/large.md", "too_large"),
        ])
    );
    // diagnostics without a position, or with one in bytes that are not UTF-8, are shown too
    let run = folder.run(&["validate", ".", "empty/large.md"]);
    assert!(
        run.out
            .contains("error[bad_utf8]: the file is not UTF-8\n --> ./latin/SKILL.md:2:10\n")
    );
    assert!(run.out.contains("error[too_large]: the file has 104857600 bytes; at most 1048576 are allowed\n--> empty/large.md\n"));
}

#[test]
fn a_document_without_a_body_is_valid_with_a_warning() {
    let text = "---\nname: plan\ndescription: What it does.\n---\n\n";
    let folder = Folder::of(&[("plan/SKILL.md", text)]);
    let run = folder.run(&["validate", "plan"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let shown = format!("{}{}", run.out, run.err);
    assert!(
        shown.contains("[empty_body]: the document has no text below its frontmatter"),
        "{shown}"
    );
}

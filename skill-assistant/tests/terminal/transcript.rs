//! The transcript in the guide is the screen of a real conversation.

use crate::model::{call, text, with_model};
use crate::pty::Terminal;
use serde_json::json;
use std::fs;

const QUESTION: &str = " [yes/no] ";

#[timed_test::test(threads = 2)]
async fn the_guide_shows_a_real_screen() {
    let transcript = block_after(&read("docs/assistant.md"), "```text\n");
    let folder = tempfile::tempdir().unwrap();
    let responses = [
        call("multiply", json!({ "a": 0.125, "b": 240 })),
        call("write_file", json!({ "path": "sum.txt", "text": "30\n" })),
        text("It is 30, and the file has it."),
        call("add_todo", json!({ "text": "Book a table for four." })),
        text("It is number 1 on your list."),
    ];
    let (program, server) = with_model(folder.path(), responses).await;
    let mut terminal = Terminal::start_with_size(program, 60, 160);
    for line in transcript.lines() {
        if let Some(typed) = line.strip_prefix("> ") {
            enter(&mut terminal, "> ", typed);
        } else if let Some((question, answer)) = line.split_once(QUESTION) {
            enter(&mut terminal, &format!("{question}{QUESTION}"), answer);
        }
    }
    terminal.wait_for_last(">");
    let shown = terminal.scrollback().join("\n");
    let data = folder.path().join("skill-assistant");
    let shown = shown
        .replace(&*data.to_string_lossy(), "~/.local/share/skill-assistant")
        .replace(
            server.url.strip_prefix("http://").unwrap(),
            "localhost:8080",
        );
    let shown: Vec<&str> = shown.trim_end().lines().map(str::trim_end).collect();
    // the last line is the next prompt
    let (_, shown) = shown.split_last().unwrap();
    let expected: Vec<&str> = transcript.lines().map(str::trim_end).collect();
    assert_eq!(shown, expected, "\n{}\n", shown.join("\n"));
}

#[test]
fn the_readme_has_the_first_lines_of_the_transcript() {
    let transcript = block_after(&read("docs/assistant.md"), "```text\n");
    let first: Vec<&str> = transcript.lines().take(10).collect();
    assert!(read("README.md").contains(&first.join("\n")));
}

/// Types a line once the prompt is there. The next prompt is then another one.
fn enter(terminal: &mut Terminal, prompt: &str, line: &str) {
    terminal.wait_for_last(prompt);
    terminal.type_text(line);
    terminal.wait_for_last(&format!("{prompt}{line}"));
    terminal.type_text("\r");
}

fn read(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    fs::read_to_string(format!("{root}/{path}")).unwrap()
}

/// Returns the first block of a document that begins so.
fn block_after(document: &str, begins: &str) -> String {
    let (_, rest) = document.split_once(begins).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

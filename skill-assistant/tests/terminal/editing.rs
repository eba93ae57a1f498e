//! Typing: completion, keys, sizes, the end of the input.

use crate::pty::{Terminal, without_model};
use std::fs;

/// The program, at its first prompt.
fn started(folder: &std::path::Path) -> Terminal {
    let terminal = Terminal::start(without_model(folder));
    terminal.wait_for_last(">");
    terminal
}

#[timed_test::test]
async fn tab_completes_commands_tools_arguments_and_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plan.md"), "Build a boat.\n").unwrap();
    let mut terminal = started(folder.path());
    for (typed, completed) in [
        ("/conv\t", "> /conversations"),
        ("\x15read_\t", "> read_file"),
        (" p\t", "> read_file path="),
        ("pl\t", "> read_file path=plan.md"),
    ] {
        terminal.type_text(typed);
        terminal.wait_for_last(completed);
    }
    terminal.type_text("\r");
    terminal.wait_for("Build a boat.");
}

#[timed_test::test]
async fn a_direct_call_needs_no_model_and_no_approval() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = started(folder.path());
    terminal.type_text("add a=1 b=2\r");
    terminal.wait_for("3.0");
    terminal.type_text("add_note Buy milk.\rclear_notes\r");
    terminal.wait_for("Done.");
    terminal.type_text("add a=one\r");
    terminal.wait_for("'one' for 'a' is not a valid number; 'add' takes: a=<number> b=<number>.");
    terminal.type_text("hello\r");
    terminal.wait_for("There is no model. Set OPENAI_API_KEY");
}

#[timed_test::test]
async fn a_wide_line_is_drawn_again_at_another_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = started(folder.path());
    terminal.type_text("add_note 今日は牛乳を二本と卵を十個買う");
    terminal.wait_for_last("> add_note 今日は牛乳を二本と卵を十個買う");
    terminal.resize(24, 30);
    // two columns for each character
    terminal.wait_until("the line in two", |screen| {
        screen.contains("> add_note 今日は牛乳を二本と\n卵を十個買う")
    });
    terminal.resize(24, 80);
    terminal.type_text("\rlist_notes\r");
    terminal.wait_for("\"今日は牛乳を二本と卵を十個買う\"");
}

#[timed_test::test]
async fn ctrl_c_clears_the_line_and_ctrl_d_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = started(folder.path());
    terminal.type_text("half a line\x03");
    terminal.wait_for("Ctrl-D ends the program.");
    terminal.wait_for_last(">");
    terminal.type_text("\x04");
    assert_eq!(terminal.wait_for_end(), Some(0));
}

//! Turns that are taken back: from the screen to the disk, and to the next request.

use crate::model::{call, text, with_model, with_server};
use crate::pty::Terminal;
use model_server::Server;
use rustix::process::Signal;
use serde_json::json;
use std::path::Path;

/// Kills the program, and starts it again.
fn restart(mut terminal: Terminal, folder: &Path, server: &Server) -> Terminal {
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.wait_for_end(), None);
    let terminal = Terminal::start(with_server(folder, server));
    terminal.wait_for_last(">");
    terminal
}

/// Types a command, and agrees.
fn agree(terminal: &mut Terminal, command: &str, question: &str, done: &str) {
    terminal.type_text(&format!("{command}\r"));
    terminal.wait_for_last(&format!("{question} [yes/no]"));
    terminal.type_text("yes\r");
    terminal.wait_for(done);
    terminal.wait_for_last(">");
}

#[timed_test::test(threads = 2)]
async fn a_turn_that_was_taken_back_stays_so_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let note = || call("add_note", json!({ "text": "Buy milk." }));
    let responses = [note(), text("Noted."), note(), text("Noted again.")];
    let (program, server) = with_model(folder.path(), responses).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("Note milk.\r");
    terminal.wait_for("Noted.");
    terminal.wait_for_last(">");
    let (back, forth) = ("Take the last turn back?", "Bring the turn back?");
    agree(&mut terminal, "/undo", back, "Taken back: Note milk.");

    // another process brings it back, and takes it back again
    let mut terminal = restart(terminal, folder.path(), &server);
    terminal.type_text("list_notes\r");
    terminal.wait_for("[]");
    agree(&mut terminal, "/redo", forth, "Back again: Note milk.");
    let mut terminal = restart(terminal, folder.path(), &server);
    terminal.type_text("list_notes\r");
    terminal.wait_for("\"Buy milk.\"");
    agree(&mut terminal, "/undo", back, "Taken back: Note milk.");

    // the same message runs its call again, once, and the model does not see the earlier turn
    let mut terminal = restart(terminal, folder.path(), &server);
    terminal.type_text("Note milk.\r");
    terminal.wait_for("Noted again.");
    terminal.wait_for_last(">");
    let request = server.body().to_string();
    assert_eq!(request.matches("Note milk.").count(), 1, "{request}");
    assert!(!request.contains("Noted."), "{request}");
    terminal.type_text("list_notes\r");
    terminal.wait_until("one note in a list", |screen| {
        screen.contains("[\n  \"Buy milk.\"\n]")
    });
    terminal.type_text("/redo\r");
    terminal.wait_for("There is no turn to bring back.");
}

#[timed_test::test(threads = 2)]
async fn a_call_of_the_person_is_not_lost_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let note = call("add_note", json!({ "text": "Buy milk." }));
    let (program, _server) = with_model(folder.path(), [note, text("Noted.")]).await;
    let mut terminal = Terminal::start(program);
    terminal.wait_for_last(">");
    terminal.type_text("/undo\r");
    terminal.wait_for("There is no turn to take back");
    terminal.type_text("Note milk.\r");
    terminal.wait_for("Noted.");
    terminal.wait_for_last(">");
    terminal.type_text("add_note Call Ann.\r/undo\r");
    terminal
        .wait_for("`notes` was changed since by the action `add_note`; that change would be lost");
    terminal.wait_for_last("Take the last turn back? [yes/no]");
    terminal.type_text("no\rlist_notes\r");
    terminal.wait_for("\"Call Ann.\"");
}
